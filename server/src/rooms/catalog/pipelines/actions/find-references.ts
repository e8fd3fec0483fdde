import { type ExternalReference, nearest } from '@signalbox/pipeline/document'
import { findUndeclaredVariables } from '@signalbox/pipeline/facts'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { type DocumentFault, faultAt } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** The team of the document, its writer, and how a reference counts that the writer may not look up. */
export interface CheckPlace {
  readonly teamPath: string
  readonly writer: Caller
  readonly hidden: 'error' | 'warning'
}

export interface FoundReferences {
  readonly errors: readonly DocumentFault[]
  readonly warnings: readonly DocumentFault[]
  readonly profileId: string | null
  /** Of steps and tasks: name in the document to id. */
  readonly profiles: Readonly<Record<string, string>>
}

/** The name of a document and its references to things outside itself; the document need not be valid otherwise. */
export interface NamingDocument {
  readonly name: string | null
  readonly references: readonly ExternalReference[]
}

/** Why something cannot be used; `hidden` where the writer may not know whether it exists. */
interface Refusal {
  readonly code: DocumentFault['code']
  readonly message: string
  readonly hidden: boolean
}

/** Looks up everything that a document names outside itself. */
export async function findReferences(
  means: Means,
  db: Queryable,
  document: NamingDocument,
  place: CheckPlace,
): Promise<FoundReferences> {
  const errors: DocumentFault[] = []
  const warnings: DocumentFault[] = []
  const refusals = new Map<string, Refusal | undefined>()
  const profileIds = new Map<string, string>()
  for (const reference of document.references) {
    const { kind, target } = reference
    const key = `${kind} ${target}`
    if (!refusals.has(key)) refusals.set(key, await look(reference))
    const refusal = refusals.get(key)
    if (refusal !== undefined) {
      const isWarning = kind === 'approver' || (refusal.hidden && place.hidden === 'warning')
      const list = isWarning ? warnings : errors
      list.push(faultAt(reference, refusal.code, refusal.message))
    } else if (kind === 'pipeline') {
      const child = await store.findRunnable(db, target)
      const graph = child && (await means.getGraph(db, child.versionId))
      errors.push(...unknownInputs(reference, graph?.variables ?? {}))
      warnings.push(...unknownOutputs(reference, graph?.finalOutputs.map(({ name }) => name) ?? []))
    }
  }
  const own = document.references.find(({ directive }) => directive === 'profile')
  const beside = new Set(document.references.filter((reference) => reference !== own).map(({ target }) => target))
  return {
    errors,
    warnings,
    profileId: own === undefined ? null : (profileIds.get(own.target) ?? null),
    profiles: Object.fromEntries([...profileIds].filter(([name]) => beside.has(name))),
  }

  async function look({ kind, target }: ExternalReference): Promise<Refusal | undefined> {
    switch (kind) {
      case 'approver':
        return refuseApprover(means, target, place.teamPath)
      case 'profile': {
        const profile = await means.profiles.resolve(db, target, place.teamPath)
        if ('problem' in profile) return { code: 'unknown_profile', message: profile.problem, hidden: false }
        if (profile.profileId !== null) profileIds.set(target, profile.profileId)
        return undefined
      }
      case 'secret':
        return refuseSecret(means, db, target, place)
      case 'scope':
        return refuseScope(means, target, place)
      case 'pipeline':
        if (target === `${place.teamPath}/${document.name}`) {
          const message = 'A pipeline must not start itself: its runs would start each other without end.'
          return { code: 'unknown_pipeline', message, hidden: false }
        }
        return refusePipeline(db, target, place)
    }
  }
}

/** Only a warning: the people who are to decide may come later. */
async function refuseApprover(means: Means, target: string, teamPath: string): Promise<Refusal | undefined> {
  if (target.startsWith('role:')) return undefined
  const meant = (await means.access.snapshot()).listNamed(target, teamPath)
  if (meant.some((subject) => subject.can('run.read', teamPath))) return undefined
  const why = target.startsWith('group:')
    ? `the group does not exist, or no member of it may see runs of ${teamPath}`
    : `the subject does not exist, is disabled, or may not see runs of ${teamPath}`
  const message = `nobody can decide as ${target}: ${why}; correct the name, or grant a role there`
  return { code: 'unknown_approver', message, hidden: false }
}

async function refuseSecret(
  means: Means,
  db: Queryable,
  target: string,
  { teamPath, writer }: CheckPlace,
): Promise<Refusal | undefined> {
  if (!writer.can('secret.read', teamPath)) {
    // Runs on behalf of this writer would be refused, and the writer must not learn whether the secret exists.
    const message = `You need secret.read on ${teamPath} to let a pipeline use ${target}.`
    return { code: 'unknown_secret', message, hidden: true }
  }
  const message = await means.secrets.check(db, `secret:${target}`, teamPath)
  return message === undefined ? undefined : { code: 'unknown_secret', message, hidden: false }
}

async function refuseScope(means: Means, target: string, { writer }: CheckPlace): Promise<Refusal | undefined> {
  const verdict = await means.access.judgeScope(writer, target)
  if (verdict === 'usable') return undefined
  const isSeen = verdict === 'forbidden'
  const message = isSeen ? `You may not use the scope ${target}.` : `There is no scope ${target} that you may use.`
  return { code: 'unknown_scope', message, hidden: isSeen || !writer.can('environment.read', ownerOf(target)) }
}

async function refusePipeline(db: Queryable, target: string, { writer }: CheckPlace): Promise<Refusal | undefined> {
  const owner = ownerOf(target)
  if (writer.token?.limits) {
    // The child is judged by the rights of whoever starts the pipeline: the token could reach beyond its limits by it.
    return { code: 'unknown_pipeline', message: `A token with limits lets no pipeline start ${target}.`, hidden: true }
  }
  const isVisible = writer.can('pipeline.read', owner)
  const exists = isVisible && (await store.findPipeline(db, { identifier: target })) !== undefined
  if (exists && writer.can('run.start', owner)) return undefined
  const message = exists
    ? `You need run.start on ${owner} to let a task start ${target}.`
    : `There is no pipeline ${target} that you may see.`
  return { code: 'unknown_pipeline', message, hidden: !isVisible || exists }
}

function unknownInputs(
  { target, inputs }: ExternalReference,
  variables: Readonly<Record<string, string>>,
): DocumentFault[] {
  return inputs.flatMap((input) =>
    findUndeclaredVariables({ identifier: target, variables }, [input.name]).map(({ name, message }) =>
      faultAt(input, 'unknown_input', `${name} ${message}; ${instead(name, Object.keys(variables))}`),
    ),
  )
}

/** Only a warning: the next version of the child may have the output. */
function unknownOutputs({ target, outputs }: ExternalReference, known: readonly string[]): DocumentFault[] {
  return outputs
    .filter(({ name }) => !known.includes(name))
    .map((output) => {
      const message = `${output.name} is no final output of ${target}, so it will be empty; ${instead(output.name, known)}`
      return faultAt(output, 'unknown_output', message)
    })
}

function instead(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  if (near !== undefined) return `did you mean ${near}?`
  return known.length === 0 ? 'there are none.' : `there are ${known.slice(0, 10).join(', ')}.`
}

/** `acme/web` of `acme/web/production`. */
function ownerOf(target: string): string {
  return target.slice(0, target.lastIndexOf('/'))
}
