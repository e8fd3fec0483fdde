import { APPROVAL_TASK } from '../../graph/index.ts'
import { booleanOf, integerOf, type SourceNode, scalarTextOf, textOf } from '../source-tree.ts'
import type { ApprovalOutline, FieldOutline, TaskOutline } from './outline.ts'
import { listOf, place, placedText, placedTexts } from './placed.ts'
import { directivesOf } from './read-node.ts'
import { NO_CONTAINER } from './read-task.ts'

/** Outputs that every approval has beside its fields: who approved, and what each of them filled in. */
export const APPROVAL_OUTPUTS: readonly string[] = ['decided_by', 'answers']

export function readApproval(node: SourceNode | undefined, directive: string): ApprovalOutline | undefined {
  if (node?.kind !== 'map') return undefined
  const at = directivesOf(node)
  return {
    directive,
    line: node.line,
    column: node.column,
    approvers: placedTexts(at('approvers'), `${directive}.approvers`),
    required: place(at('required'), `${directive}.required`, integerOf),
    timeout: placedText(at('timeout'), `${directive}.timeout`),
    remindAfter: placedText(at('remind_after'), `${directive}.remind_after`),
    allowSelf: booleanOf(at('allow_self')) ?? false,
    message: textOf(at('message')),
    fields: listOf(at('fields'), `${directive}.fields`).map(([field, path]) => readField(field, path)),
  }
}

function readField(node: SourceNode, directive: string): FieldOutline {
  const at = directivesOf(node)
  return {
    directive,
    line: node.line,
    column: node.column,
    name: placedText(at('name'), `${directive}.name`),
    type: textOf(at('type')),
    required: booleanOf(at('required')) ?? false,
    options: placedTexts(at('options'), `${directive}.options`, scalarTextOf),
    default: place(at('default'), `${directive}.default`, scalarTextOf),
    description: textOf(at('description')),
  }
}

/** The one task of a step that waits for people: later checks find its outputs as those of any other. */
export function approvalTask(approval: ApprovalOutline): TaskOutline {
  const { directive, line, column } = approval
  const fields = approval.fields.flatMap((field) => field.name?.value ?? [])
  return {
    directive,
    line,
    column,
    name: { value: APPROVAL_TASK, directive, line, column },
    dependsOn: [],
    condition: undefined,
    timeout: undefined,
    ignoreFailure: undefined,
    directives: new Map(),
    types: [],
    textAt: () => undefined,
    env: new Map(),
    inputs: new Map(),
    outputs: new Map([...fields, ...APPROVAL_OUTPUTS].map((name) => [name, { sensitive: false }])),
    retry: undefined,
    idempotent: false,
    checkout: false,
    profile: undefined,
    script: undefined,
    pipeline: undefined,
    container: NO_CONTAINER,
    artifacts: undefined,
    needsArtifacts: [],
    cache: undefined,
    approval,
  }
}
