import { type GraphLimits, NO_LIMITS } from '../../graph/container-limits.ts'
import type { RegistryCredential } from '../../images/index.ts'
import { TASK_TYPES } from '../../tasks/index.ts'
import { containerDirectives } from '../schema/container.ts'
import {
  booleanOf,
  entriesOf,
  integerOf,
  itemsOf,
  numberOf,
  type SourceNode,
  scalarTextOf,
  textOf,
} from '../source-tree.ts'
import type { ArtifactsOutline, CacheOutline, ContainerOutline, RetryOutline, TaskOutline } from './outline.ts'
import { listOf, placedText, placedTexts, placedValues } from './placed.ts'
import { readCheckout } from './read-checkout.ts'
import { type At, directivesOf, readNode } from './read-node.ts'

export function readTask(node: SourceNode, directive: string): TaskOutline {
  const at = directivesOf(node)
  const common = readNode(node, directive)
  return {
    ...common,
    types: TASK_TYPES.filter((type) => common.directives.has(type.directive)),
    textAt: (name) => textOf(at(name)),
    env: placedValues(at('env'), `${directive}.env`),
    inputs: placedValues(at('inputs'), `${directive}.inputs`),
    outputs: readOutputs(at('outputs')),
    retry: readRetry(at('retry'), `${directive}.retry`),
    idempotent: booleanOf(at('idempotent')) ?? false,
    checkout: readCheckout(at('checkout'), `${directive}.checkout`),
    profile: placedText(at('profile'), `${directive}.profile`),
    script: placedText(at('run'), `${directive}.run`),
    pipeline: placedText(at('pipeline'), `${directive}.pipeline`),
    container: CONTAINER_NAMES.some((name) => common.directives.has(name))
      ? readContainer(at, directive)
      : NO_CONTAINER,
    artifacts: readArtifacts(at('artifacts'), `${directive}.artifacts`),
    needsArtifacts: placedTexts(at('needs_artifacts'), `${directive}.needs_artifacts`),
    cache: readCache(at('cache'), `${directive}.cache`),
    approval: undefined,
  }
}

const NO_OUTPUTS: TaskOutline['outputs'] = new Map()

function readOutputs(node: SourceNode | undefined): TaskOutline['outputs'] {
  if (node === undefined) return NO_OUTPUTS
  return new Map(
    [...entriesOf(node)].map(([name, entry]) => {
      const sensitive = booleanOf(entriesOf(entry.value).get('sensitive')?.value) ?? false
      return [name, { sensitive }]
    }),
  )
}

function readRetry(node: SourceNode | undefined, directive: string): RetryOutline | undefined {
  const at = directivesOf(node)
  const attempts = integerOf(at('attempts'))
  if (attempts === undefined) return undefined
  const codes = at('exit_codes')
  return {
    attempts,
    backoff: placedText(at('backoff'), `${directive}.backoff`),
    exitCodes: codes && itemsOf(codes).flatMap((item) => integerOf(item) ?? []),
  }
}

const CONTAINER_NAMES = Object.keys(containerDirectives)

/** Of a task that says nothing about its container, as most do. */
export const NO_CONTAINER: ContainerOutline = {
  image: undefined,
  user: undefined,
  network: undefined,
  readOnly: false,
  limits: NO_LIMITS,
  registryCredential: undefined,
  registryCredentials: new Map(),
  pullPolicy: undefined,
  services: [],
}

function readContainer(at: At, directive: string): ContainerOutline {
  return {
    image: placedText(at('image'), `${directive}.image`),
    user: textOf(at('user')),
    network: placedText(at('network'), `${directive}.network`),
    readOnly: booleanOf(at('read_only')) ?? false,
    limits: readLimits(at('resources')),
    registryCredential: placedText(at('registry_credential'), `${directive}.registry_credential`),
    registryCredentials: placedValues(at('registry_credential'), `${directive}.registry_credential`, textOf),
    pullPolicy: placedText(at('pull_policy'), `${directive}.pull_policy`),
    services: listOf(at('services'), `${directive}.services`).map(([service, path]) => {
      const of = directivesOf(service)
      return {
        directive: path,
        line: service.line,
        column: service.column,
        name: placedText(of('name'), `${path}.name`),
        image: placedText(of('image'), `${path}.image`),
        env: placedValues(of('env'), `${path}.env`),
        command: placedTexts(of('command'), `${path}.command`, scalarTextOf),
        limits: readLimits(of('resources')),
      }
    }),
  }
}

function readLimits(node: SourceNode | undefined): GraphLimits {
  if (node?.kind !== 'map') return NO_LIMITS
  const at = directivesOf(node)
  const byName = (of: SourceNode | undefined): Record<string, number> =>
    Object.fromEntries(
      [...entriesOf(of)].flatMap(([name, { value }]) => {
        const number = integerOf(value)
        return number === undefined ? [] : [[name, number]]
      }),
    )
  return {
    cpus: numberOf(at('cpus')) ?? null,
    memoryMb: integerOf(at('memory_mb')) ?? null,
    pids: integerOf(at('pids')) ?? null,
    shmMb: integerOf(at('shm_mb')) ?? null,
    tmpfsMb: byName(at('tmpfs')),
    ulimits: byName(at('ulimits')),
  }
}

/** Gives both ways of writing them as one list. */
export function registryCredentialsOf(container: ContainerOutline): readonly RegistryCredential[] {
  const { registryCredential: one, registryCredentials } = container
  const named = [...registryCredentials].map(([registry, { value: secret }]) => ({ registry, secret }))
  return one === undefined ? named : [{ registry: null, secret: one.value }, ...named]
}

function readArtifacts(node: SourceNode | undefined, directive: string): ArtifactsOutline | undefined {
  if (node?.kind !== 'map') return undefined
  const at = directivesOf(node)
  return {
    name: placedText(at('name'), `${directive}.name`),
    paths: placedTexts(at('paths'), `${directive}.paths`),
    when: textOf(at('when')),
    retention: placedText(at('retention'), `${directive}.retention`),
  }
}

function readCache(node: SourceNode | undefined, directive: string): CacheOutline | undefined {
  if (node?.kind !== 'map') return undefined
  const at = directivesOf(node)
  return {
    key: placedText(at('key'), `${directive}.key`),
    files: placedTexts(at('files'), `${directive}.files`),
    paths: placedTexts(at('paths'), `${directive}.paths`),
    fallback: placedTexts(at('fallback'), `${directive}.fallback`),
  }
}
