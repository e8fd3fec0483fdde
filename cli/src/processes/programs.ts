import { resolve } from 'node:path'

/** The programs of the product, by path: the command line imports no code of the server. */
export const SERVER = resolve(import.meta.dirname, '../../../server/bin/signalbox-server.mjs')
export const SIGNALBOX = resolve(import.meta.dirname, '../../bin/signalbox.mjs')
export const PAGE_BUILDER = resolve(import.meta.dirname, '../../../ui/build/build-page.ts')
export const PROGRAMS_BUILDER = resolve(import.meta.dirname, '../../../build/build-programs.ts')
/** The fake GitHub of the demo. It lies in the repository of Signalbox, beside the tests. */
export const FORGE = resolve(import.meta.dirname, '../../../e2e/forge/main.ts')
