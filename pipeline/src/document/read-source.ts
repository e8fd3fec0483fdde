import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml'
import type { DocumentLimits } from './limits.ts'
import { Lines } from './lines.ts'
import type { Position, ProblemList } from './problem.ts'
import { itemDirective, type SourceEntry, type SourceNode } from './source-tree.ts'

const PLAIN_TAGS = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((tag) => `tag:yaml.org,2002:${tag}`),
)

/** YAML text as a tree with positions; undefined after a problem that leaves nothing to look at. */
export function readSource(text: string, limits: DocumentLimits, problems: ProblemList): SourceNode | undefined {
  const lines = new Lines(text)
  const document = parse(text)
  if (document === undefined) {
    problems.add('yaml_syntax', '', { line: 1, column: 1 }, 'this cannot be read as YAML')
    return undefined
  }
  for (const error of document.errors) reportSyntax(error, lines, limits, problems)
  if (!problems.isEmpty) return undefined
  return new Reader(lines, limits, problems).read(document.contents, '', 0, { line: 1, column: 1 })
}

/** The library reports its errors, but for stack overflows outside the composer; those must not escape. */
function parse(text: string): Document.Parsed | undefined {
  try {
    // A silent log level would also silence the second of two documents. Duplicate keys are looked for here: the library compares every key with every other.
    return parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'error' })
  } catch {
    return undefined
  }
}

function reportSyntax(error: YAMLError, lines: Lines, limits: DocumentLimits, problems: ProblemList): void {
  const position = lines.positionOf(error.pos[0])
  switch (error.code) {
    case 'RESOURCE_EXHAUSTION':
      problems.add('too_deep', '', position, `maps and lists may be nested at most ${limits.depth} deep`)
      break
    case 'MULTIPLE_DOCS':
      problems.add('yaml_feature', '', position, 'a second document begins here: one file is one document, remove ---')
      break
    case 'TAB_AS_INDENT':
      problems.add('yaml_syntax', '', position, 'a tab indents this line: YAML wants spaces')
      break
    default:
      problems.add('yaml_syntax', '', position, `this is not valid YAML: ${error.message}`)
  }
}

interface Anchored {
  readonly node: SourceNode
  readonly size: number
}

class Reader {
  readonly #lines: Lines
  readonly #limits: DocumentLimits
  readonly #problems: ProblemList
  /** By name; null while the anchored node is still being read, so that an alias to its own parent is seen. */
  readonly #anchors = new Map<string, Anchored | null>()
  #size = 0
  #exhausted = false

  constructor(lines: Lines, limits: DocumentLimits, problems: ProblemList) {
    this.#lines = lines
    this.#limits = limits
    this.#problems = problems
  }

  read(node: unknown, directive: string, depth: number, parent: Position): SourceNode {
    if (!isNode(node)) return this.#nothing(parent)
    const position = node.range ? this.#lines.positionOf(node.range[0]) : parent
    if (this.#exhausted || !this.#spend(1, directive, position)) return this.#nothing(position)
    if (isAlias(node)) return this.#alias(node.source, directive, position)
    if (depth > this.#limits.depth) {
      const message = `maps and lists may be nested at most ${this.#limits.depth} deep`
      this.#problems.add('too_deep', directive, position, message)
      return this.#nothing(position)
    }
    if (node.tag !== undefined && !PLAIN_TAGS.has(node.tag)) {
      this.#problems.add(
        'yaml_feature',
        directive,
        position,
        `remove the tag ${node.tag}: only plain values are known here`,
      )
    }
    const anchor = isScalar(node) || isCollection(node) ? node.anchor : undefined
    if (anchor === undefined) return this.#plain(node, directive, depth, position)
    this.#anchors.set(anchor, null)
    const before = this.#size
    const read = this.#plain(node, directive, depth, position)
    this.#anchors.set(anchor, { node: read, size: this.#size - before + 1 })
    return read
  }

  #plain(node: Node, directive: string, depth: number, position: Position): SourceNode {
    if (isSeq(node)) {
      const items = node.items.map((item, at) => {
        const name = isMap(item) ? item.get('name') : undefined
        return this.read(item, itemDirective(directive, at, name), depth + 1, position)
      })
      return { kind: 'list', ...position, items }
    }
    if (isMap(node)) return { kind: 'map', ...position, entries: this.#entries(node.items, directive, depth, position) }
    if (!isScalar(node)) return this.#nothing(position)
    const { value } = node
    const text = typeof value === 'string' ? value : (node.source ?? String(value))
    if (/[\0\ud800-\udfff]/.test(text) && (text.includes('\0') || !text.isWellFormed())) {
      this.#problems.add(
        'not_text',
        directive,
        position,
        'a value may not hold the character U+0000 or half a surrogate pair',
      )
    }
    const known = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
    return { kind: 'scalar', ...position, value: known ? value : null, text, plain: node.type === 'PLAIN' }
  }

  #entries(
    items: readonly { key: unknown; value: unknown }[],
    directive: string,
    depth: number,
    parent: Position,
  ): Map<string, SourceEntry> {
    const entries = new Map<string, SourceEntry>()
    for (const item of items) {
      const key = this.read(item.key, directive, depth + 1, parent)
      const position = { line: key.line, column: key.column }
      if (key.kind !== 'scalar') {
        this.#problems.add('yaml_feature', directive, position, 'a key must be a plain word, not a map or a list')
        continue
      }
      const path = directive === '' ? key.text : `${directive}.${key.text}`
      const earlier = entries.get(key.text)
      if (earlier !== undefined) {
        const message = `\`${key.text}\` stands here a second time (first in line ${earlier.key.line}): keep one of them`
        this.#problems.add('duplicate_key', path, position, message)
      }
      const value = this.read(item.value, path, depth + 1, position)
      if (earlier === undefined) entries.set(key.text, { key: position, value })
    }
    return entries
  }

  #alias(name: string, directive: string, position: Position): SourceNode {
    const anchored = this.#anchors.get(name)
    if (anchored === undefined || anchored === null) {
      const message =
        anchored === null
          ? `*${name} stands inside what it names: write the values out`
          : `*${name} names nothing above: write &${name} before the value that it stands for`
      this.#problems.add('yaml_feature', directive, position, message)
      return this.#nothing(position)
    }
    return this.#spend(anchored.size, directive, position) ? anchored.node : this.#nothing(position)
  }

  /** Counts nodes as if every alias were written out, for that is what every later pass walks. */
  #spend(nodes: number, directive: string, position: Position): boolean {
    this.#size += nodes
    if (this.#size <= this.#limits.nodes) return true
    if (!this.#exhausted) {
      const message = `the document grows beyond ${this.#limits.nodes} values when its aliases are replaced: write fewer of them`
      this.#problems.add('alias_expansion', directive, position, message)
    }
    this.#exhausted = true
    return false
  }

  #nothing(position: Position): SourceNode {
    return { kind: 'scalar', line: position.line, column: position.column, value: null, text: '', plain: false }
  }
}
