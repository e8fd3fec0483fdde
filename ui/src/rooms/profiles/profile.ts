import type { BodyOf, ItemOf } from '@signalbox/contracts/http/requests'
import type { profileRoutes } from '@signalbox/contracts/profiles/routes'
import { readAssignments, writeAssignments } from '../../components/assignments.ts'

export type Profile = ItemOf<typeof profileRoutes.listProfiles>
/** All of a profile that may be changed. */
export type ProfileContent = Pick<
  BodyOf<typeof profileRoutes.replaceProfile>,
  'executor' | 'image' | 'labels' | 'environment' | 'resources'
>

/** A profile as a person edits it: lists as text. */
export interface ProfileDraft {
  readonly executor: 'host' | 'container'
  readonly image: string
  readonly labels: string
  /** A line each: NAME=value. */
  readonly environment: string
  readonly cpus: string
  readonly memoryMb: string
}

export const EMPTY_DRAFT: ProfileDraft = {
  executor: 'container',
  image: '',
  labels: '',
  environment: '',
  cpus: '',
  memoryMb: '',
}

export function draftOf({ executor, image, labels, environment, resources }: Profile): ProfileDraft {
  return {
    executor,
    image: image ?? '',
    labels: labels.join(', '),
    environment: writeAssignments(environment),
    cpus: resources.cpus?.toString() ?? '',
    memoryMb: resources.memory_mb?.toString() ?? '',
  }
}

/** The document that a draft stands for; the server judges it. */
export function contentOf(draft: ProfileDraft): ProfileContent {
  const isContainer = draft.executor === 'container'
  return {
    executor: draft.executor,
    image: isContainer ? draft.image.trim() : null,
    labels: draft.labels.split(/[\s,]+/).filter((label) => label !== ''),
    environment: readAssignments(draft.environment),
    resources: isContainer ? { ...numberOf('cpus', draft.cpus), ...numberOf('memory_mb', draft.memoryMb) } : {},
  }
}

function numberOf(name: string, text: string): Record<string, number> {
  return text.trim() === '' ? {} : { [name]: Number(text) }
}
