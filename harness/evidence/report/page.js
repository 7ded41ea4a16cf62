/* SPDX-License-Identifier: Apache-2.0
 * The page is whole without this. It adds a filter to the table of blocks, and sorting by a column within each family. */
(function () {
  "use strict";
  function number(cell) {
    var exact = cell.querySelector("abbr");
    var text = (exact ? exact.title : cell.textContent).replace(/[^0-9.eE+-]/g, "");
    return text === "" || isNaN(Number(text)) ? -Infinity : Number(text);
  }
  function sort(table, column, up) {
    table.querySelectorAll("tbody").forEach(function (body) {
      var rows = Array.from(body.rows).filter(function (row) { return !row.classList.contains("family"); });
      rows.sort(function (a, b) {
        var x = a.cells[column], y = b.cells[column];
        var order = column ? number(x) - number(y) : x.textContent.localeCompare(y.textContent);
        return up ? order : -order;
      });
      rows.forEach(function (row) { body.appendChild(row); });
    });
    Array.from(table.tHead.rows[0].cells).forEach(function (cell, i) {
      if (i === column) cell.setAttribute("aria-sort", up ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    Array.from(table.tHead.rows[0].cells).forEach(function (cell, column) {
      var button = document.createElement("button");
      button.className = "sort";
      button.textContent = cell.textContent;
      cell.textContent = "";
      cell.appendChild(button);
      button.addEventListener("click", function () {
        var now = cell.getAttribute("aria-sort");
        sort(table, column, now ? now === "descending" : !column);
      });
    });
    var filter = document.createElement("input");
    filter.className = "filter";
    filter.type = "search";
    filter.placeholder = "Filter blocks";
    filter.setAttribute("aria-label", "Filter blocks by name");
    filter.addEventListener("input", function () {
      table.querySelectorAll("tbody tr:not(.family)").forEach(function (row) {
        row.hidden = row.cells[0].textContent.toLowerCase().indexOf(filter.value.toLowerCase()) < 0;
      });
    });
    table.parentNode.parentNode.insertBefore(filter, table.parentNode);
  });
})();
