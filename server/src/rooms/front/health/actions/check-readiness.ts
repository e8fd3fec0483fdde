import type { Readiness } from '@signalbox/contracts/health'
import type { Probe } from '#platform/room'
import type { Clock } from '#platform/time'
import type { Means } from '../means.ts'

const PROBE_TIMEOUT_MS = 2000

/** Asks every probe at once. A probe that is silent for 2 s counts as not well, so that the answer never hangs. */
export async function checkReadiness({ clock, probes }: Means): Promise<Readiness> {
  const checks = await Promise.all(probes.map((probe) => ask(clock, probe)))
  return { status: checks.every((check) => check.ok) ? 'ready' : 'not_ready', checks }
}

async function ask(clock: Clock, probe: Probe): Promise<Readiness['checks'][number]> {
  const answered = new AbortController()
  const late = clock.sleep(PROBE_TIMEOUT_MS, answered.signal).then(() => `no answer in ${PROBE_TIMEOUT_MS} ms`)
  const checked = probe.check().then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : 'not well'),
  )
  const message = await Promise.race([checked, late])
  answered.abort()
  return { name: probe.name, ok: message === '', message }
}
