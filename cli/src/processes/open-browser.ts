import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { platform } from 'node:process'
import type { Surroundings } from '../surroundings.ts'

/**
 * Opens an address in the browser of the person; false where there is none. No shell reads the address, and only http
 * and https are opened: a control plane names it.
 */
export async function openInBrowser({ env }: Pick<Surroundings, 'env'>, address: string): Promise<boolean> {
  const opener = openerOf(env)
  const url = URL.parse(address)
  if (opener === undefined || url === null || !['http:', 'https:'].includes(url.protocol)) return false
  const child = spawn(opener, [url.href], { env: { ...env }, stdio: 'ignore' })
  try {
    const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS) })
    return code === 0
  } catch {
    // Some openers stay as long as the browser does. Where there is no opener, the person has the address on the screen.
    child.unref()
    return child.pid !== undefined
  }
}

const PATIENCE_MS = 2000

/** The program that opens addresses; undefined where no screen is there to open them on. */
function openerOf(env: Surroundings['env']): string | undefined {
  if (platform === 'darwin') return 'open'
  return platform === 'linux' && (env['DISPLAY'] || env['WAYLAND_DISPLAY']) ? 'xdg-open' : undefined
}
