import { defineConfig } from "vite";

/** Two files beside each other: the widget, and the formulas that it loads where an answer holds one. */
export default defineConfig({
  base: "./", // the second is found beside the first, on whatever origin and path that lies
  build: {
    target: "es2023",
    outDir: "../static",
    emptyOutDir: false, // the pages' own files lie there too
    modulePreload: false,
    rolldownOptions: {
      input: "src/index.ts",
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "widget.js", chunkFileNames: "widget-[name].js" },
    },
  },
});
