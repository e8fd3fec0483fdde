import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { InlineConfig, Plugin } from 'vite'
import { folderOfBuild } from './built.mjs'

// node build/build-programs.ts [--if-stale]: puts the modules of the programs into a few files, in dist. A start reads
// four thousand modules otherwise, which takes half of its time. With --if-stale nothing is done, and nothing is said,
// where a build of these sources is there, or nothing to build with.

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')
const PROGRAMS = ['cli', 'runner', 'server']

/** Packages of many modules. All others are loaded from where they are installed: some look for files beside them. */
const TAKEN_IN = [
  /^@bufbuild\//,
  /^@modelcontextprotocol\//,
  /^@signalbox\//,
  'diff',
  'kysely',
  /^typebox/,
  'yaml',
  /^zod/,
]

/** A program that runs may load a part of its build late: the builds before this one stay for it. */
const EARLIER_BUILDS = 2

async function main(): Promise<void> {
  const target = folderOfBuild()
  const isThere = existsSync(target)
  const onlyIfStale = process.argv.includes('--if-stale')
  if (isThere && onlyIfStale) return
  // Loaded only where something is built. Where no bundler is installed, the programs start from their sources.
  const bundler = await import('vite').catch(() => undefined)
  if (!bundler && onlyIfStale) return
  if (!bundler) throw new Error('The bundler is not installed: run `npm ci` in the folder of Signalbox.')
  console.info(`The programs are ${existsSync(dist) ? 'older than their sources' : 'not built yet'}: building them.`)
  const begun = performance.now()
  await mkdir(dist, { recursive: true })
  const folder = await mkdtemp(join(dist, '.new-'))
  try {
    await bundle(bundler.build, folder)
    // The account of the control plane may be another one.
    await chmod(folder, 0o755)
    if (isThere) await rm(target, { recursive: true, force: true })
    await rename(folder, target).catch((error: unknown) => {
      // Another process built at the same time, and was first.
      if (!existsSync(target)) throw error
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await removeOlder(basename(target))
  console.info(`The programs are built, in ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
}

async function bundle(build: (config: InlineConfig) => Promise<unknown>, folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    // An operator's file of secrets may lie here; a build needs none of it.
    envDir: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [placesOfSources],
    ssr: { noExternal: TAKEN_IN },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'esnext',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(PROGRAMS.map((name) => [name, join(root, name, 'src/main.ts')])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}

const HERE = '__file_of_build__'
/** A module that opens a thread of ours. */
const THREAD = /new URL\('\.\/([a-z-]+-thread)\.ts', import\.meta\.url\)/g

/** A thread is a program of its own, and is built too. Any other file that a module looks for lies beside its source. */
const placesOfSources: Plugin = {
  name: 'places-of-sources',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('node_modules') || !code.includes('import.meta.')) return undefined
    const source = relative(join(dist, 'any'), id)
    return code
      .replaceAll(THREAD, (_, name: string) => {
        this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName: `${name}.js` })
        return `new URL('./${name}.js', ${HERE})`
      })
      .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(source)}`)})`)
      .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
      .replaceAll(HERE, 'import.meta.url')
  },
}

async function removeOlder(newest: string): Promise<void> {
  const names = (await readdir(dist)).filter((name) => name !== newest && !name.startsWith('.'))
  const builds = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(dist, name))).mtimeMs })))
  const old = builds.toSorted((a, b) => b.at - a.at).slice(EARLIER_BUILDS)
  await Promise.all(old.map(({ name }) => rm(join(dist, name), { recursive: true, force: true })))
}

main().catch((error: unknown) => {
  console.error(`The programs could not be built: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
})
