import type { Readiness } from '@signalbox/contracts/health'
import type { Kit, Probe } from '#platform/room'

const PROBE_TIMEOUT_MS = 2000

/** Asks every probe at once; one that is silent for 2 s counts as not well, so that the answer never hangs. */
export async function checkReadiness(kit: Kit, probes: readonly Probe[]): Promise<Readiness> {
  const checks = await Promise.all(probes.map((probe) => ask(kit, probe)))
  return { status: checks.every((check) => check.ok) ? 'ready' : 'not_ready', checks }
}

async function ask(kit: Kit, probe: Probe): Promise<Readiness['checks'][number]> {
  const answered = new AbortController()
  const late = kit.clock.sleep(PROBE_TIMEOUT_MS, answered.signal).then(() => `no answer in ${PROBE_TIMEOUT_MS} ms`)
  const checked = probe.check().then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : 'not well'),
  )
  const message = await Promise.race([checked, late])
  answered.abort()
  return { name: probe.name, ok: message === '', message }
}
