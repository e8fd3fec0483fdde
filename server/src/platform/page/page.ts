import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the build writes where each answer gets a nonce of its own (`html.cspNonce` in ui/vite.config.ts). */
const NONCE = '__NONCE__'
/** What ui/index.html writes where the page finds its own version. */
const VERSION = '__VERSION__'
const NONCE_BYTES = 16
const VERSION_DIGITS = 16

/** The built page in its folder. It is read anew each time: a build may come, or be replaced, under a running process. */
export interface Page {
  readonly folder: string
  /** Tells builds apart; undefined while there is none. */
  version(): Promise<string | undefined>
  /** The document and the nonce in it; undefined while there is no build. */
  document(): Promise<PageDocument | undefined>
}

export interface PageDocument {
  readonly html: string
  readonly nonce: string
}

export function openPage(folder: string): Page {
  const read = async (): Promise<string | undefined> => {
    try {
      return await readFile(join(folder, 'index.html'), 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }
  return {
    folder,
    async version() {
      const template = await read()
      return template === undefined ? undefined : versionOf(template)
    },
    async document() {
      const template = await read()
      if (template === undefined) return undefined
      const nonce = randomBytes(NONCE_BYTES).toString('base64')
      return { nonce, html: template.replaceAll(NONCE, nonce).replaceAll(VERSION, versionOf(template)) }
    },
  }
}

/** The document names every file of the page, directly or not, with a digest in its name. */
function versionOf(template: string): string {
  return createHash('sha256').update(template).digest('hex').slice(0, VERSION_DIGITS)
}
