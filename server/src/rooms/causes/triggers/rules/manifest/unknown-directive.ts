import { nearest } from '@signalbox/pipeline/document'
import { MANIFEST_DIRECTIVES } from './schema.ts'

/** Fields of stored triggers that entries of a manifest do not have, each with the reason. */
const NOT_HERE: Readonly<Record<string, string>> = {
  repositories: 'a manifest is about the repository that it lies in: remove it',
  source_id: 'a manifest takes the events of every source of its repository that reads manifests: remove it',
  team_path: 'runs of a manifest belong to the team of the source: remove it',
  owner: 'runs of a manifest start on behalf of the person who wrote the source last: remove it',
}

/** Other systems' words for our directives. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  on: 'events',
  event: 'events',
  types: 'actions',
  branch: 'branches',
  tag: 'tags',
  path: 'paths',
  changes: 'paths',
  when: 'if',
  condition: 'if',
  env: 'variables',
  vars: 'variables',
  environment: 'scope',
  workflow: 'pipeline',
  rules: 'triggers',
  jobs: 'triggers',
  'cancel-in-progress': 'on_conflict',
}

/** The sentence for a directive that is not known where it stands. */
export function describeUnknownDirective(name: string, known: readonly string[]): string {
  if (name === '<<') return 'merge keys are not supported: write the entries out'
  const reason = Object.hasOwn(NOT_HERE, name) ? NOT_HERE[name] : undefined
  if (reason !== undefined) return `\`${name}\` cannot stand in a manifest: ${reason}`
  const other = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined
  const near = other !== undefined && known.includes(other) ? other : nearest(name, known)
  if (near !== undefined) return `unknown directive \`${name}\`: did you mean \`${near}\`?`
  const place = MANIFEST_DIRECTIVES.includes(name) ? ' here: it belongs elsewhere' : ''
  return `unknown directive \`${name}\`${place}: known here are ${known.join(', ')}`
}
