import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { PAGE_BUILDER, PROGRAMS_BUILDER } from './programs.ts'

interface Building {
  readonly tell: (line: string) => void
  readonly signal: AbortSignal
}

/** Builds the web page where it is missing or older than its sources. Everything else works without the page. */
export function buildPage(building: Building): Promise<void> {
  return buildIfStale(PAGE_BUILDER, building)
}

/** Builds the programs where they are missing or older than their sources, for quicker starts later. */
export function buildPrograms(building: Building): Promise<void> {
  return buildIfStale(PROGRAMS_BUILDER, building)
}

/** Runs a builder in a process of its own. A failed build is told, never thrown. */
export async function buildIfStale(builder: string, { tell, signal }: Building): Promise<void> {
  if (!existsSync(builder)) return
  const child = spawn(process.execPath, [builder, '--if-stale'], { stdio: ['ignore', 'pipe', 'pipe'], signal })
  for (const output of [child.stdout, child.stderr]) createInterface(output).on('line', tell)
  const code = await new Promise<number | null>((settle) => child.on('error', () => settle(null)).on('close', settle))
  if (code === 0 || signal.aborted) return
  tell('Signalbox works without it; `npm run build` in its folder shows what is wrong.')
}
