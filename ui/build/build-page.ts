import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { compressFiles } from './compress.ts'
import { digestSources } from './sources.ts'

// node ui/build/build-page.ts [--if-stale]: builds the web page into ui/dist. With --if-stale nothing is done, and
// nothing is said, where a build of these sources is there.

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'ui/dist')

async function main(): Promise<void> {
  const sources = digestSources(root)
  if (process.argv.includes('--if-stale') && sources === builtSources()) return
  console.info(`The web page is ${existsSync(dist) ? 'older than its sources' : 'not built yet'}: building it.`)
  const begun = performance.now()
  const folder = await mkdtemp(join(root, 'ui/.dist-'))
  try {
    await bundle(folder)
    await Promise.all([compressFiles(folder), compressFiles(join(folder, 'assets'))])
    await writeFile(join(folder, 'build.json'), `${JSON.stringify({ sources })}\n`)
    // The account of the control plane may be another one.
    await chmod(folder, 0o755)
    await replace(folder, sources)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  console.info(`The web page is built, in ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
}

async function bundle(folder: string): Promise<void> {
  // Loaded only where something is built: a release carries the build, and needs no bundler.
  const { build } = await import('vite').catch((cause: unknown) => {
    throw new Error('The bundler is not installed: run `npm ci` in the folder of Signalbox.', { cause })
  })
  await build({ root: join(root, 'ui'), logLevel: 'error', build: { outDir: folder, emptyOutDir: false } })
}

/** Whoever serves the page meanwhile finds a whole build, but for a moment. */
async function replace(folder: string, sources: string): Promise<void> {
  const old = `${folder}-old`
  try {
    if (existsSync(dist)) await rename(dist, old)
    await rename(folder, dist)
  } catch (error) {
    // Another process built at the same time, and was first.
    if (sources !== builtSources()) throw error
  } finally {
    await rm(old, { recursive: true, force: true })
  }
}

/** The sources of the build that is there, if one is. */
function builtSources(): string | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8'))
    return typeof record === 'object' && record && 'sources' in record ? String(record.sources) : undefined
  } catch {
    return undefined
  }
}

main().catch((error: unknown) => {
  console.error(`The web page could not be built: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
})
