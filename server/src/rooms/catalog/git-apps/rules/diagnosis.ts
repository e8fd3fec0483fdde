import type { GitAppDiagnosis } from '@signalbox/contracts/git-apps'

export type DoctorStep = GitAppDiagnosis['steps'][number]
type StepName = DoctorStep['step']

export function well(step: StepName, sentence: string, installationId: string | null = null): DoctorStep {
  return { step, installation_id: installationId, result: 'ok', sentence, remedy: null }
}

export function warned(
  step: StepName,
  sentence: string,
  remedy: string,
  installationId: string | null = null,
): DoctorStep {
  return { step, installation_id: installationId, result: 'warning', sentence, remedy }
}

export function failed(
  step: StepName,
  sentence: string,
  remedy: string,
  installationId: string | null = null,
): DoctorStep {
  return { step, installation_id: installationId, result: 'failed', sentence, remedy }
}

export function skipped(step: StepName, sentence = 'Not looked at: a step before it failed.'): DoctorStep {
  return { step, installation_id: null, result: 'skipped', sentence, remedy: null }
}

/** A signed time may differ by a minute from the provider's; a part of that is for the way. */
const WARN_MS = 20_000
const FAIL_MS = 60_000

/** `skewMs` is the provider's clock less ours; null: the provider named no time. */
export function judgeClock(skewMs: number | null): DoctorStep {
  if (skewMs === null) return skipped('clock', 'The provider named no time.')
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  const sentence = `The clock of this service is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} the provider's.`
  const remedy = 'Let a time service (NTP) keep the clock of this machine.'
  if (Math.abs(skewMs) >= FAIL_MS) return failed('clock', sentence, remedy)
  if (Math.abs(skewMs) >= WARN_MS) return warned('clock', sentence, remedy)
  return well('clock', "The clock agrees with the provider's.")
}
