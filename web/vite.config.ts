// Builds the page into msat/service/static. File names are fixed and nothing depends on the time or the
// machine, so that building again gives the same bytes: CI compares them with what is committed.
import { defineConfig, loadEnv } from 'vite';

const service = loadEnv('', '.', 'MSAT_')['MSAT_SERVICE'] ?? 'http://127.0.0.1:8817';

export default defineConfig({
  base: './',
  build: {
    outDir: '../msat/service/static',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { page: 'index.html', board: 'src/board/element.ts' },
      preserveEntrySignatures: 'exports-only',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        assetFileNames: '[name][extname]',
      },
    },
  },
  server: { proxy: { '/api': service, '/healthz': service, '/readyz': service } },
});
