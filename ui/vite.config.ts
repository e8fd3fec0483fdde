import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Where `npm run dev` finds the control plane. */
const CONTROL_PLANE = 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  // The page may be served below a path.
  base: './',
  plugins: [react()],
  // The control plane replaces the word by a fresh nonce whenever it serves the page.
  html: { cspNonce: '__NONCE__' },
  build: {
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What every page needs is one file: in many small ones the first load is 3 % larger.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'frame', test: /ui[\\/]src[\\/](client|shell)[\\/](?!keys)/ }] } },
    },
  },
  server: { port: 5173, strictPort: true, proxy: { '/v1': CONTROL_PLANE, '/docs': CONTROL_PLANE } },
  // Pure parts keep no state between files: a worker takes one file after another.
  test: { environment: 'node', include: ['src/**/*.test.ts'], isolate: false, pool: 'threads' },
})
