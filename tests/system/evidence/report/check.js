/* SPDX-License-Identifier: Apache-2.0
 *
 * Put at the head of a copy of the page by tests/system/evidence/report.sh: what is wrong with it, as lines "CHECK ..." that take the page's
 * place when it is loaded; the last is "CHECKED" with what was looked at.
 */
(function () {
  "use strict";
  var wrong = [];
  function say(kind, text) { wrong.push("CHECK " + kind + ": " + text); }
  window.addEventListener("error", function (event) { say("error", event.message || "a resource"); }, true);
  window.addEventListener("unhandledrejection", function (event) { say("error", String(event.reason)); });
  document.addEventListener("securitypolicyviolation", function (event) { say("request", event.blockedURI + " by " + event.violatedDirective); });
  var plain = console.error;
  console.error = function () { say("console", Array.from(arguments).join(" ")); plain.apply(console, arguments); };

  function name(element) { return element.tagName.toLowerCase() + (element.id ? "#" + element.id : "") + "." + (element.getAttribute("class") || ""); }

  function drawn(svg) {
    var marks = svg.matches(".names") ? "text" : "path:not(.grid):not(.axis), rect, circle, polyline, polygon, line:not(.grid)";
    return Array.from(svg.querySelectorAll(marks)).some(function (mark) {
      var box = mark.getBBox(), style = getComputedStyle(mark);
      return (box.width > 0 || box.height > 0) && (style.fill !== "none" || style.stroke !== "none");
    });
  }
  function pictures() {
    var all = document.querySelectorAll("svg:not(svg svg), img, canvas");
    all.forEach(function (picture) {
      var box = picture.getBoundingClientRect();
      if (!(box.width > 0 && box.height > 0)) say("picture", name(picture) + " has no size");
      else if (picture.tagName === "svg" && !drawn(picture)) say("picture", name(picture) + " is empty");
      if (picture.tagName === "svg" ? !picture.querySelector(":scope > title") || !picture.querySelector(":scope > title").textContent : !picture.alt)
        say("title", name(picture) + " has no title");
    });
    return all.length;
  }

  function links() {
    var all = document.querySelectorAll("a[href]"), ids = {};
    document.querySelectorAll("[id]").forEach(function (element) {
      if (ids[element.id]) say("id", element.id + " is there twice");
      ids[element.id] = true;
    });
    all.forEach(function (link) {
      var href = link.getAttribute("href");
      if (href[0] !== "#") say("link", href + " leads out of the page");
      else if (!ids[decodeURIComponent(href.slice(1))]) say("link", href + " leads nowhere");
    });
    return all.length;
  }

  function overflow() {
    var width = window.innerWidth;
    if (document.documentElement.scrollWidth <= width) return;
    say("overflow", document.documentElement.scrollWidth + " of " + width + " pixels");
    Array.from(document.body.querySelectorAll("*")).filter(function (element) {
      return element.getBoundingClientRect().right > width + 1 && !element.closest(".scroll, svg, nav ul");
    }).slice(0, 5).forEach(function (element) { say("overflow", name(element)); });
  }

  function channels(colour) { return (colour.match(/[\d.]+/g) || []).map(Number); }
  function luminance(c) {
    return [0.2126, 0.7152, 0.0722].reduce(function (sum, weight, i) {
      var x = c[i] / 255;
      return sum + weight * (x <= 0.03928 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4));
    }, 0);
  }
  function behind(element) {
    for (; element; element = element.parentElement) {
      var c = channels(getComputedStyle(element).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  }
  function contrast() {
    var all = Array.from(document.body.querySelectorAll("*")).filter(function (element) {
      return !element.closest("title, desc, script, style") &&
        Array.from(element.childNodes).some(function (node) { return node.nodeType === 3 && node.data.trim(); });
    });
    all.forEach(function (element) {
      var style = getComputedStyle(element), ink = channels(element.namespaceURI.indexOf("svg") > 0 ? style.fill : style.color);
      var a = luminance(ink), b = luminance(behind(element)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) say("contrast", name(element) + " " + ratio.toFixed(2));
    });
    return all.length;
  }

  function structure() {
    document.querySelectorAll("th:not([scope])").forEach(function (cell) { say("scope", cell.textContent); });
    document.querySelectorAll("table").forEach(function (table) {
      if (!table.querySelector("tbody td")) say("table", "no row: " + (table.caption || table.closest("[aria-label]") || table).textContent.slice(0, 60));
    });
    if (!document.documentElement.lang) say("lang", "none");
    if (document.querySelectorAll("h1").length !== 1) say("heading", "not one h1");
    performance.getEntriesByType("resource").forEach(function (entry) { if (entry.name.indexOf("data:")) say("request", entry.name); });
  }

  window.addEventListener("load", function () {
    setTimeout(function () {
      try {
        overflow();
        document.querySelectorAll("details").forEach(function (details) { details.open = true; });
        overflow();
        var pictures_seen = pictures(), links_seen = links(), texts = contrast();
        structure();
        wrong.push("CHECKED " + pictures_seen + " pictures, " + links_seen + " links, " + texts + " texts at " + window.innerWidth + " pixels, " +
                   (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
      } catch (error) {
        say("check", error.stack);
      }
      document.body.textContent = wrong.join("\n");
      document.head.textContent = "";
    }, 50);
  });
})();
