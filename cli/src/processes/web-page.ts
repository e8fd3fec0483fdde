import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { PAGE_BUILDER } from './programs.ts'

interface Building {
  readonly tell: (line: string) => void
  readonly signal: AbortSignal
}

/**
 * Builds the web page where it is missing or older than its sources, in a process of its own. Everything else works
 * without the page: a failed build is told, never thrown.
 */
export async function buildPage({ tell, signal }: Building, builder = PAGE_BUILDER): Promise<void> {
  if (!existsSync(builder)) return
  const child = spawn(process.execPath, [builder, '--if-stale'], { stdio: ['ignore', 'pipe', 'pipe'], signal })
  for (const output of [child.stdout, child.stderr]) createInterface(output).on('line', tell)
  const code = await new Promise<number | null>((settle) => child.on('error', () => settle(null)).on('close', settle))
  if (code === 0 || signal.aborted) return
  tell('Signalbox works without it; `npm run build` in its folder builds the page alone, and shows what is wrong.')
}
