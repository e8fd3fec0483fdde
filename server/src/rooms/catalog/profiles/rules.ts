import { parseImageReference } from '@signalbox/pipeline/images'

/** Where tasks run and what a runner must have for them. */
export interface Requirement {
  readonly executor: 'host' | 'container'
  readonly labels: readonly string[]
}

/** Limits of a container; absent ones do not apply. */
export interface Resources {
  readonly cpus?: number
  readonly memory_mb?: number
}

export interface ProfileContent extends Requirement {
  /** Null for the host executor. */
  readonly image: string | null
  readonly environment: Readonly<Record<string, string>>
  readonly resources: Resources
}

/** The content for a pipeline that names no profile: any runner that runs tasks on its host. */
export const DEFAULT_CONTENT: ProfileContent = {
  executor: 'host',
  labels: [],
  image: null,
  environment: {},
  resources: {},
}

/** The team itself and every team above it, nearest first: it may use the profiles of all of them. */
export function lineOf(teamPath: string): string[] {
  const segments = teamPath.split('/')
  return segments.map((_, index) => segments.slice(0, segments.length - index).join('/'))
}

/** `acme/web/node24` names one profile; `node24` names the nearest one of the team and those above it. */
export function splitProfileName(name: string): { readonly teamPath: string | undefined; readonly name: string } {
  const slash = name.lastIndexOf('/')
  if (slash === -1) return { teamPath: undefined, name }
  return { teamPath: name.slice(0, slash), name: name.slice(slash + 1) }
}

/** The faults of the fields of a profile in combination. */
export function findContradictions(content: ProfileContent): { readonly field: string; readonly message: string }[] {
  const faults: { field: string; message: string }[] = []
  if (content.executor === 'container' && content.image === null) {
    faults.push({ field: 'image', message: 'is required by the container executor' })
  }
  const image = content.image === null ? undefined : parseImageReference(content.image)
  if (image && 'problem' in image) faults.push({ field: 'image', message: image.problem })
  if (content.executor === 'host' && content.image !== null) {
    faults.push({
      field: 'image',
      message: 'belongs to the container executor: leave it out, or set executor to container',
    })
  }
  if (content.executor === 'host' && Object.keys(content.resources).length > 0) {
    faults.push({ field: 'resources', message: 'belong to the container executor: the host executor has no limits' })
  }
  return faults
}
