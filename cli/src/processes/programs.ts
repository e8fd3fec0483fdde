import { resolve } from 'node:path'

/** The programs of the product, by path: the command line imports no code of the server. */
export const SERVER = resolve(import.meta.dirname, '../../../server/bin/signalbox-server.mjs')
export const SIGNALBOX = resolve(import.meta.dirname, '../../bin/signalbox.mjs')
export const PAGE_BUILDER = resolve(import.meta.dirname, '../../../ui/build/build-page.ts')
