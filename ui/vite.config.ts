import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityRoutes } from '@signalbox/contracts/access/routes'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { compiledAhead } from './build/compile-ahead.ts'
import { findNames, trimStatements } from './build/trim-statements.ts'

/** Where `npm run dev` finds the control plane. */
const CONTROL_PLANE = 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  // The page may be served below a path.
  base: './',
  plugins: [react(), beforeScripts(), trimmedStatements(), compiledAhead()],
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
      output: {
        codeSplitting: {
          groups: [{ name: 'frame', test: /ui[\\/]src[\\/](client|shell)[\\/](?!keys|edited|kept-work|plans-banner)/ }],
        },
      },
    },
  },
  server: { port: 5173, strictPort: true, proxy: { '/v1': CONTROL_PLANE, '/docs': CONTROL_PLANE } },
  // Pure parts keep no state between files: a worker takes one file after another.
  // A busy machine is no fault of a test: Vitest's own limit is five seconds.
  test: { environment: 'node', include: ['src/**/*.test.ts'], isolate: false, pool: 'threads', testTimeout: 60_000 },
})

/**
 * The script that runs before the others. The bundler leaves classic scripts alone, so a digest is put into its name here:
 * browsers keep it, and the parser waits for no answer. While one develops, it asks for nothing.
 */
function beforeScripts(): Plugin {
  const source = readFileSync(join(import.meta.dirname, 'src/before-scripts.js'), 'utf8').replaceAll(
    '__ME__',
    identityRoutes.getMe.path,
  )
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const fileName = `assets/before-scripts-${digest}.js`
  return {
    name: 'before-scripts',
    apply: 'build',
    transformIndexHtml: (html) => html.replace('./src/before-scripts.js', `./${fileName}`),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

/** Statements of routes are trimmed to what the page uses: the rest is more than half of them. */
function trimmedStatements(): Plugin {
  const named = findNames(join(import.meta.dirname, 'src'))
  return {
    name: 'trimmed-statements',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /contracts[\\/]src[\\/].*routes\.ts$/ },
      handler: (code) => ({ code: trimStatements(code, named), map: null }),
    },
  }
}
