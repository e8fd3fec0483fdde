import type { Place } from './places.ts'

/** A value of the world outside, as the code names it: `process.env`, `new Date`, `Date.now`, `fetch`, `console`. */
export type WorldName = string

interface WorldRule {
  readonly names: readonly WorldName[]
  /** Modules that hand out the same thing; `node:timers` as a whole, `node:process` by the name `env`. */
  readonly modules?: readonly string[]
  readonly forbiddenIn: (place: Place) => boolean
  readonly instead: string
}

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate']

function inServer(place: Place) {
  return /^(platform|adapters|rooms|house|main)$/.test(place.area)
}
/** The runner speaks gRPC, but for archives. */
function sendsFiles(place: Place) {
  return place.path.startsWith('runner/src/transfer/')
}
function isPure(place: Place) {
  return place.area === 'pipeline' || place.area === 'contracts'
}
function isPlatform(place: Place, ...parts: readonly string[]) {
  return place.area === 'platform' && parts.includes(place.part)
}

/** The only file of a command-line workspace that reads its options from the environment. */
function readsOptions(place: Place): boolean {
  if (place.area === 'platform') return place.part === 'config'
  return /^(runner|cli|git-bot)$/.test(place.area) && /^(options|config)\.ts$/.test(place.inside)
}

function isLog(place: Place): boolean {
  return isPlatform(place, 'log') || (/^(runner|git-bot)$/.test(place.area) && /^log(\.ts$|\/)/.test(place.inside))
}

const RULES: readonly WorldRule[] = [
  {
    names: ['process.env'],
    forbiddenIn: (place) => !readsOptions(place),
    instead:
      'options are data: add the key to the options (platform/config in the server, src/options.ts elsewhere) and take the parsed value as a parameter',
  },
  {
    names: ['new Date()', 'Date()', 'Date.now', 'performance.now', 'process.hrtime'],
    modules: ['node:perf_hooks', 'perf_hooks'],
    forbiddenIn: (place) => isPure(place) || (inServer(place) && !isPlatform(place, 'time', 'ids')),
    instead:
      'ask the clock of the kit (platform/time), so that a test can set the time; pure code takes the instant as a parameter',
  },
  {
    names: ['Math.random'],
    forbiddenIn: (place) => isPure(place) || (inServer(place) && !isPlatform(place, 'time', 'ids')),
    instead: 'take ids and randomness from platform/ids or platform/crypto, so that a test can fix them',
  },
  {
    names: TIMERS,
    modules: ['node:timers', 'timers', 'node:timers/promises', 'timers/promises'],
    forbiddenIn: (place) => isPure(place) || (inServer(place) && !isPlatform(place, 'time', 'ids')),
    instead: 'wait by the clock of the kit (platform/time), or make it a durable job, so that a test need not sleep',
  },
  {
    names: ['fetch', 'XMLHttpRequest'],
    modules: ['undici'],
    forbiddenIn: (place) => !/^(adapters|cli|ui)$/.test(place.area) && !sendsFiles(place),
    instead: 'speak to the outside in an adapter, behind a port that house.ts hands in',
  },
  {
    names: ['console'],
    forbiddenIn: (place) => !/^(cli|ui)$/.test(place.area) && !isLog(place),
    instead: 'log with the kit: a static message and fields, redacted at the sink',
  },
]

/** A program's entry hands the whole environment to the reader of its options; it reads no variable itself. */
export function mayHandOnEnvironment(place: Place): boolean {
  return place.area === 'main' || /^(runner|cli|git-bot)\/(src\/main\.ts|bin\/[^/]+\.mjs)$/.test(place.path)
}

/** The sentence for a use of the outside world, or undefined where the file may do it. Tests may do all of it. */
export function findForbiddenGlobal(place: Place, name: WorldName): string | undefined {
  const rule = RULES.find((candidate) => candidate.names.includes(name))
  return rule && sentence(place, rule, name)
}

/** Like `findForbiddenGlobal`, for an import that hands out the same thing. `names` are the imported names. */
export function findForbiddenModule(place: Place, module: string, names: readonly string[]): string | undefined {
  if (/^(node:)?process$/.test(module)) {
    return names.includes('env') ? findForbiddenGlobal(place, 'process.env') : undefined
  }
  const rule = RULES.find((candidate) => candidate.modules?.includes(module))
  return rule && sentence(place, rule, module)
}

function sentence(place: Place, rule: WorldRule, name: string): string | undefined {
  if (place.forTests || place.area === 'outside' || !rule.forbiddenIn(place)) return undefined
  return `no ${name} here: ${rule.instead}`
}
