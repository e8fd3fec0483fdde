import { booleanOf, entriesOf, itemsOf, type SourceNode, scalarTextOf } from '../source-tree.ts'
import type { MatrixEntry, MatrixOutline, StepOutline } from './outline.ts'
import { listOf, type Placed, place, placedText, placedTexts, placedValues } from './placed.ts'
import { approvalTask, readApproval } from './read-approval.ts'
import { directivesOf, readNode } from './read-node.ts'
import { readTask } from './read-task.ts'

export function readStep(node: SourceNode, directive: string): StepOutline {
  const at = directivesOf(node)
  const approval = readApproval(at('approval'), `${directive}.approval`)
  const tasks = listOf(at('tasks'), `${directive}.tasks`).map(([task, path]) => readTask(task, path))
  return {
    ...readNode(node, directive),
    when: readWhen(node, directive),
    scope: placedText(at('scope'), `${directive}.scope`),
    profile: placedText(at('profile'), `${directive}.profile`),
    matrix: readMatrix(at('matrix'), `${directive}.matrix`),
    workspace: placedText(at('workspace'), `${directive}.workspace`),
    approval,
    tasks: tasks.length === 0 && approval !== undefined ? [approvalTask(approval)] : tasks,
  }
}

/** `always: false` says nothing, and does not contradict `when`. */
function readWhen(node: SourceNode, directive: string): Placed<string>[] {
  const at = directivesOf(node)
  const flag = (name: string, value: string) =>
    place(at(name), `${directive}.${name}`, (found) => (booleanOf(found) === true ? value : undefined)) ?? []
  return [
    placedText(at('when'), `${directive}.when`) ?? [],
    flag('always', 'always'),
    flag('on_failure', 'failure'),
  ].flat()
}

function readMatrix(node: SourceNode | undefined, directive: string): MatrixOutline | undefined {
  if (node?.kind !== 'map') return undefined
  const axes = new Map<string, Placed<string>[]>()
  for (const [name, { value }] of node.entries) {
    if (name === 'include' || name === 'exclude') continue
    axes.set(name, placedTexts(value, `${directive}.${name}`, scalarTextOf))
  }
  const entriesAt = (name: string): MatrixEntry[] =>
    itemsOf(entriesOf(node).get(name)?.value).map((item, at) => {
      const path = `${directive}.${name}[${at}]`
      return { directive: path, line: item.line, column: item.column, values: placedValues(item, path) }
    })
  const { line, column } = node
  return { directive, line, column, axes, include: entriesAt('include'), exclude: entriesAt('exclude') }
}
