/** Test files that one process runs one after the other, relative to the root; most often many small ones. */
export interface Lot {
  readonly files: readonly string[]
  readonly seconds: number
}

/**
 * Slow files, in seconds on two busy cores, as `npm test` told them. They begin first, so that none is still running
 * when all others are done. Files that are missing here only begin later.
 */
export const LONG: Readonly<Record<string, number>> = {
  'cli/src/demo/demo.test.ts': 38,
  'cli/src/demo/forge/forge-demo.test.ts': 70,
  'e2e/api/generated-client.test.ts': 17,
  'e2e/attacks/authorization.test.ts': 73,
  'e2e/attacks/bodies.test.ts': 24,
  'e2e/attacks/deliveries.test.ts': 86,
  'e2e/attacks/probing.test.ts': 11,
  'e2e/attacks/sockets.test.ts': 39,
  'e2e/attacks/streams.test.ts': 22,
  'e2e/attacks/tokens.test.ts': 18,
  'e2e/chaos/chaos.test.ts': 55,
  'e2e/faults/backfills.test.ts': 39,
  'e2e/faults/backup-to-bucket.test.ts': 102,
  'e2e/faults/backup.test.ts': 282,
  'e2e/faults/burst.test.ts': 17,
  'e2e/faults/checks-killed.test.ts': 91,
  'e2e/faults/comment-commands.test.ts': 68,
  'e2e/faults/comments.test.ts': 43,
  'e2e/faults/containers.test.ts': 35,
  'e2e/faults/database-away.test.ts': 95,
  'e2e/faults/disk-full.test.ts': 29,
  'e2e/faults/engine-away.test.ts': 27,
  'e2e/faults/external-triggers.test.ts': 53,
  'e2e/faults/fail-points.test.ts': 248,
  'e2e/faults/https-files.test.ts': 28,
  'e2e/faults/https.test.ts': 27,
  'e2e/faults/ingress-killed.test.ts': 95,
  'e2e/faults/killed-while-running.test.ts': 73,
  'e2e/faults/object-place.test.ts': 33,
  'e2e/faults/outage-without-log.test.ts': 90,
  'e2e/faults/outage.test.ts': 90,
  'e2e/faults/plans.test.ts': 60,
  'e2e/faults/refused-starts.test.ts': 130,
  'e2e/faults/registration-killed.test.ts': 54,
  'e2e/faults/repeated-deliveries.test.ts': 46,
  'e2e/faults/runner-disk-full.test.ts': 26,
  'e2e/faults/runners.test.ts': 90,
  'e2e/faults/schedules.test.ts': 132,
  'e2e/faults/status-reports.test.ts': 49,
  'e2e/faults/up-killed.test.ts': 17,
  'e2e/faults/workspaces.test.ts': 35,
  'e2e/fuzz/openapi.test.ts': 64,
  'e2e/ingress/connected-webhooks.test.ts': 42,
  'e2e/ingress/git-app.test.ts': 17,
  'e2e/ingress/reading-repositories.test.ts': 43,
  'e2e/mcp/bridge.test.ts': 15,
  'e2e/mcp/clients.test.ts': 36,
  'e2e/mcp/conformance.test.ts': 51,
  'e2e/mcp/questions/questions.test.ts': 50,
  'e2e/scenarios.test.ts': 48,
  'e2e/upgrade/upgrade.test.ts': 16,
  'e2e/web/administration.test.ts': 13,
  'e2e/web/approvals.test.ts': 19,
  'e2e/web/dialogs.test.ts': 117,
  'e2e/web/faults.test.ts': 25,
  'e2e/web/getting-in.test.ts': 74,
  'e2e/web/git-apps.test.ts': 50,
  'e2e/web/hostile.test.ts': 65,
  'e2e/web/live-list.test.ts': 10,
  'e2e/web/log.test.ts': 68,
  'e2e/web/long-lists.test.ts': 35,
  'e2e/web/mends.test.ts': 50,
  'e2e/web/one-browser.test.ts': 14,
  'e2e/web/pipelines.test.ts': 22,
  'e2e/web/rights.test.ts': 78,
  'e2e/web/run-page.test.ts': 17,
  'e2e/web/schedules.test.ts': 14,
  'e2e/web/sweep.test.ts': 173,
  'e2e/web/tabs.test.ts': 15,
  'e2e/web/ways.test.ts': 21,
  'e2e/web/writes.test.ts': 49,
  'pipeline/src/document/fuzz.test.ts': 14,
  'runner/src/checkout/checkout.test.ts': 23,
  'runner/src/checkout/local-repositories.test.ts': 26,
  'runner/src/checkout/mirrors/fetch-apart.test.ts': 10,
  'runner/src/checkout/mirrors/mirrors.test.ts': 49,
  'runner/src/checkout/options.test.ts': 53,
  'runner/src/connection/session.test.ts': 14,
  'runner/src/crash.test.ts': 21,
  'runner/src/disk-full.test.ts': 18,
  'runner/src/executors/container/containers.test.ts': 57,
  'runner/src/executors/container/engine-failures.test.ts': 119,
  'runner/src/executors/container/left-rights.test.ts': 12,
  'runner/src/executors/container/networks.test.ts': 120,
  'runner/src/executors/container/pulling.test.ts': 39,
  'runner/src/executors/container/recommended-prune.test.ts': 11,
  'runner/src/executors/container/registry-passwords.test.ts': 25,
  'runner/src/executors/container/unprivileged-runner.test.ts': 19,
  'runner/src/executors/host/left-behind.test.ts': 26,
  'runner/src/executors/workspace/workspace-limits.test.ts': 20,
  'runner/src/identity/work-dir.test.ts': 20,
  'runner/src/main.test.ts': 42,
  'runner/src/masking/forms.test.ts': 11,
  'runner/src/processes/cgroups/delegated.test.ts': 12,
  'runner/src/transfer/archives.test.ts': 87,
  'runner/src/trees/remove-tree.test.ts': 24,
  'runner/src/trees/take-over.test.ts': 10,
  'server/src/adapters/forges/fuzz.test.ts': 17,
  'server/src/adapters/git/git.test.ts': 17,
  'server/src/hostile-plans.test.ts': 20,
  'server/src/live-streams.test.ts': 16,
  'server/src/platform/database/embedded/data-folder.test.ts': 44,
  'server/src/plans.test.ts': 15,
  'server/src/rooms/causes/commands/approve-command.test.ts': 10,
  'server/src/rooms/causes/events/changes-of-refs.test.ts': 18,
  'server/src/rooms/causes/events/other-manifests.test.ts': 14,
  'server/src/rooms/causes/events/repository.test.ts': 36,
  'server/src/rooms/causes/schedules/backfills.test.ts': 11,
  'server/src/rooms/causes/schedules/rules/zones.test.ts': 30,
  'server/src/rooms/causes/sources/hostile-payloads.test.ts': 10,
  'server/src/rooms/causes/sources/ingress-limits.test.ts': 14,
  'server/src/rooms/causes/sources/renames.test.ts': 11,
  'server/src/rooms/execution/artifacts/artifacts.test.ts': 29,
  'server/src/rooms/execution/dispatch/recovery.test.ts': 13,
  'server/src/rooms/execution/dispatch/testing/simulation/lease-model.test.ts': 35,
  'server/src/rooms/execution/dispatch/untrusted.test.ts': 10,
  'server/src/rooms/execution/logs/download-lines.test.ts': 18,
  'server/src/routes.test.ts': 14,
  'server/src/tool-grants.test.ts': 30,
}

/**
 * Short files that need a process of their own. A server that is closed after failed handshakes does not always say so,
 * which the end of its process mends.
 */
export const ALONE: ReadonlySet<string> = new Set(['runner/src/connection/tls.test.ts'])

/**
 * Tests in a browser share its start, and a control plane with everything in it. Two processes run them: each waits for
 * its browser half of the time.
 */
const WEB = 'e2e/web/'
const WEB_PROCESSES = 2

/**
 * Tests that start containers: the network interfaces that come and go with them make a browser drop each request that
 * is under way (`net::ERR_NETWORK_CHANGED`). So they never run while a browser does. Two processes run them: their
 * engines keep both processors busy, and their tests have little patience.
 */
const ENGINES = [
  'runner/src/executors/container/',
  'runner/src/executors/workspace/workspace-limits.test.ts',
  'e2e/scenarios.test.ts',
  'e2e/faults/containers.test.ts',
  'e2e/faults/engine-away.test.ts',
]

const ENGINE_PROCESSES = 2

/** The assumed time of an unmeasured file, and the largest time of a lot of such files. */
const SHORT_SECONDS = { cli: 0.5, contracts: 0.5, e2e: 8, pipeline: 1, runner: 1, server: 1.5, tools: 0.5 }
const LOT_SECONDS = 20

/**
 * What runs after what: tests with containers come first, beside about as much other work, then all that is left, and
 * tests in a browser come last. A page beside other work on both processors waits longer than its tests do.
 */
export function planStages(files: readonly string[]): readonly (readonly Lot[])[] {
  const lots = planLots(files)
  const engines = lots.filter((lot) => lot.files.some(startsContainers))
  const browsers = lots.filter((lot) => lot.files.some((file) => file.startsWith(WEB)))
  if (browsers.length === 0) return [lots]
  const first = new Set(engines)
  const others = lots.filter((lot) => !engines.includes(lot) && !browsers.includes(lot))
  let missing = sumOf(engines)
  for (const lot of others) {
    if (lot.seconds > missing) continue
    missing -= lot.seconds
    first.add(lot)
  }
  const stages = [lots.filter((lot) => first.has(lot)), others.filter((lot) => !first.has(lot)), browsers]
  return stages.filter((stage) => stage.length > 0)
}

/**
 * The lots of files that share a process, longest first: to start Node and load the product takes longer than most
 * files do. A long file has a process of its own, and so has one of `e2e`; those in a browser share two, those
 * with containers two others, and all others share theirs with neighbours of their package.
 */
export function planLots(files: readonly string[]): readonly Lot[] {
  const web = files.filter((file) => file.startsWith(WEB))
  const engines = files.filter(startsContainers)
  const others = files.filter((file) => !web.includes(file) && !engines.includes(file))
  const alone = others.filter((file) => file in LONG || ALONE.has(file) || file.startsWith('e2e/'))
  const short = others.filter((file) => !alone.includes(file))
  const lots = Map.groupBy(short.toSorted(), packageOf)
    .values()
    .flatMap((neighbours) => cut(neighbours))
  const shared = [...spread(web, WEB_PROCESSES), ...spread(engines, ENGINE_PROCESSES)]
  return [...shared, ...alone.map((file) => lotOf([file])), ...lots].toSorted((a, b) => b.seconds - a.seconds)
}

/** The longest limit that Node admits: it takes `Infinity` for no answer, and then the limit of one test holds. */
const NO_LIMIT_MS = 2 ** 31 - 1

/**
 * The text of a module that runs the files behind these addresses, each as a test by its name, one after the other. Each
 * has the whole time of a file: `limit` is the address of what ends late files.
 */
export function writeLot(files: ReadonlyMap<string, string>, limit: string): string {
  const calls = [...files].map(([name, url]) => {
    const [title, address] = [JSON.stringify(name), JSON.stringify(url)]
    return `test(${title}, { timeout: ${NO_LIMIT_MS} }, () => {\n  beginFile(${title})\n  return import(${address})\n})`
  })
  return [`import { test } from 'node:test'`, `import { beginFile } from ${JSON.stringify(limit)}`, ...calls, ''].join(
    '\n',
  )
}

function cut(files: readonly string[]): readonly Lot[] {
  const whole = lotOf(files)
  const size = Math.ceil(files.length / Math.ceil(whole.seconds / LOT_SECONDS))
  return Array.from({ length: Math.ceil(files.length / size) }, (_, at) =>
    lotOf(files.slice(at * size, (at + 1) * size)),
  )
}

/** Lots of about the same time. */
function spread(files: readonly string[], count: number): readonly Lot[] {
  const lots: string[][] = Array.from({ length: count }, () => [])
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || a.localeCompare(b))) {
    lots.toSorted((a, b) => lotOf(a).seconds - lotOf(b).seconds)[0]?.push(file)
  }
  return lots.filter((lot) => lot.length > 0).map(lotOf)
}

function lotOf(files: readonly string[]): Lot {
  return { files, seconds: files.reduce((sum, file) => sum + secondsOf(file), 0) }
}

function secondsOf(file: string): number {
  return LONG[file] ?? new Map(Object.entries(SHORT_SECONDS)).get(packageOf(file)) ?? 1
}

function startsContainers(file: string): boolean {
  return ENGINES.some((start) => file.startsWith(start))
}

function sumOf(lots: readonly Lot[]): number {
  return lots.reduce((sum, lot) => sum + lot.seconds, 0)
}

function packageOf(file: string): string {
  return file.slice(0, file.indexOf('/'))
}
