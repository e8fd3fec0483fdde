import { booleanOf, entriesOf, type SourceNode } from '../source-tree.ts'
import type { NodeOutline } from './outline.ts'
import { place, placedProse, placedText, placedTexts } from './placed.ts'

/** Looks up the directives of one map. */
export type At = (name: string) => SourceNode | undefined

export function directivesOf(node: SourceNode | undefined): At {
  const entries = entriesOf(node)
  return (name) => entries.get(name)?.value
}

/** What steps and tasks have in common. */
export function readNode(node: SourceNode, directive: string): NodeOutline {
  const at = directivesOf(node)
  return {
    directive,
    line: node.line,
    column: node.column,
    name: placedText(at('name'), `${directive}.name`),
    dependsOn: placedTexts(at('depends_on'), `${directive}.depends_on`),
    condition: placedProse(at('if'), `${directive}.if`),
    timeout: placedText(at('timeout'), `${directive}.timeout`),
    ignoreFailure: place(at('ignore_failure'), `${directive}.ignore_failure`, booleanOf),
    directives: entriesOf(node),
  }
}
