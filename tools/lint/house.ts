import { relative } from 'node:path'
import type { RuleTester } from 'oxlint/plugins-dev'
import { findForbiddenImport, findOutOfOrder, isRules } from './arrows.ts'
import { findForbiddenGlobal, findForbiddenModule, mayHandOnEnvironment } from './globals.ts'
import { type Place, placeOf } from './places.ts'
import { findMisplaced, LONG, mayBeLong, mayExportDefault, TOO_LONG } from './shape.ts'
import { buildsQuery, findSharedTables, isStatement, mayHoldSql, readStores } from './tables.ts'

// The house rules (ARCHITECTURE.md) as an oxlint plugin. The files beside this one decide; this one walks the code.

// oxlint exports these types by way of its rule tester only.
type Create = NonNullable<Parameters<RuleTester['run']>[1]['create']>
type Context = Parameters<Create>[0]
type Visitor = ReturnType<Create>
type NodeOf<Name extends keyof Visitor> = Parameters<NonNullable<Visitor[Name]>>[0]
interface Ranged {
  range: NodeOf<'Program'>['range']
}
type Report = (node: Ranged, message: string | undefined) => void

function rule(visit: (place: Place, report: Report, context: Context) => Visitor): { create: Create } {
  return {
    create(context) {
      const place = placeOf(relative(context.cwd, context.filename).replaceAll('\\', '/'))
      const report: Report = (node, message) => {
        if (message) context.report({ node, message })
      }
      return visit(place, report, context)
    },
  }
}

interface Sourced {
  readonly source: NodeOf<'ImportDeclaration'>['source'] | null
}

/** Looks at every import and re-export of a file, those by a fixed `import()` included. */
function imports(judge: (specifier: string, typeOnly: boolean) => string | undefined, report: Report): Visitor {
  const check = (node: Sourced, typeOnly: boolean) => {
    if (node.source) report(node.source, judge(node.source.value, typeOnly))
  }
  return {
    ImportDeclaration: (node) => check(node, node.importKind === 'type'),
    ExportNamedDeclaration: (node) => check(node, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => check(node, node.exportKind === 'type'),
    ImportExpression({ source }) {
      if (source.type === 'Literal' && typeof source.value === 'string') report(source, judge(source.value, false))
    },
  }
}

/** Rules 1-9: who may import whom. */
const arrows = rule((place, report) =>
  imports((specifier, typeOnly) => findForbiddenImport(place.path, specifier, typeOnly), report),
)

/** The order inside a room. */
const order = rule((place, report) => imports((specifier) => findOutOfOrder(place.path, specifier), report))

/** Rule 6, second half: what rules import can be read from their text. */
const computed = rule((place, report) => ({
  ImportExpression({ source }) {
    if (!isRules(place) || source.type === 'Literal') return
    report(source, 'rules are pure; import by a fixed name at the top, so that what they use can be checked')
  },
}))

/** Rule 7, second half: SQL outside store.ts. */
const sql = rule((place, report) => {
  if (mayHoldSql(place)) return {}
  const where = place.area === 'rooms' ? 'the store.ts of this room' : 'the store.ts of the room that owns the table'
  const message = `SQL lives in store.ts: make it a named function in ${where}, and call that`
  return {
    TaggedTemplateExpression(node) {
      if (node.tag.type === 'Identifier' && node.tag.name === 'sql') report(node, message)
    },
    CallExpression(node) {
      const { callee } = node
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (buildsQuery(callee.property.name)) report(callee.property, message)
    },
    Literal(node) {
      if (typeof node.value === 'string' && isStatement(node.value)) report(node, message)
    },
    TemplateLiteral(node) {
      if (isStatement(node.quasis.map((quasi) => quasi.value.raw).join('x'))) report(node, message)
    },
  }
})

const storesByRoot = new Map<string, ReturnType<typeof readStores>>()

/** Rule 10: a table has one owner. */
const tables = rule((place, report, context) => {
  if (place.area !== 'rooms' || place.forTests || !/^store(\.ts$|\/)/.test(place.inside)) return {}
  return {
    Program(node) {
      const stores = storesByRoot.get(context.cwd) ?? readStores(context.cwd)
      storesByRoot.set(context.cwd, stores)
      for (const shared of findSharedTables(place.part, stores)) {
        report(
          node,
          `the table "${shared.table}" is named in the store of "${shared.room}" too. One room owns it, and the other asks its door or listens to its facts`,
        )
      }
    },
  }
})

const GLOBALS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'fetch', 'XMLHttpRequest', 'console'])

/** Rule 11: the environment, the clock, chance, timers, the network and the console, each in its place. */
const world = rule((place, report, context) => ({
  Identifier(node) {
    if (GLOBALS.has(node.name) && context.sourceCode.isGlobalReference(node)) {
      report(node, findForbiddenGlobal(place, node.name))
    }
  },
  MemberExpression(node) {
    if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier' || node.computed) return
    const name = node.object.name === 'globalThis' ? node.property.name : `${node.object.name}.${node.property.name}`
    if (name === 'process.env' && node.parent.type !== 'MemberExpression' && mayHandOnEnvironment(place)) return
    report(node, findForbiddenGlobal(place, name))
  },
  CallExpression(node) {
    if (node.callee.type === 'Identifier' && node.callee.name === 'Date')
      report(node, findForbiddenGlobal(place, 'Date()'))
  },
  NewExpression(node) {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date' || node.arguments.length > 0) return
    report(node, findForbiddenGlobal(place, 'new Date()'))
  },
  ImportDeclaration(node) {
    if (node.importKind === 'type') return
    const names = node.specifiers.map((specifier) =>
      specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier' ? specifier.imported.name : '*',
    )
    report(node, findForbiddenModule(place, node.source.value, names))
  },
}))

/** Rule 12: what Node cannot strip, and what cannot be found by its name. */
const shape = rule((place, report) => ({
  Program: (node) => report(node, findMisplaced(place)),
  ExportDefaultDeclaration(node) {
    if (!mayExportDefault(place.path)) report(node, 'no default exports: give it a name, and export that')
  },
  TSEnumDeclaration: (node) => report(node, 'no enums: write a union of strings, or an object "as const"'),
  TSModuleDeclaration(node) {
    if (node.kind === 'namespace') report(node, 'no namespaces: a file is the namespace; export from it')
  },
  TSParameterProperty: (node) =>
    report(node, 'no parameter properties: declare the field, and assign it in the constructor'),
  Decorator: (node) => report(node, 'no decorators: call a function that takes the thing as a parameter'),
}))

/** A new kind of task must not compile until each place that asks for the kind has decided what it does with it. */
const kinds = rule((place, report) => {
  const check = (node: NodeOf<'BinaryExpression'>['left']) => {
    if (place.forTests || node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return
    if (node.property.name !== 'kind') return
    const of = node.object.type === 'MemberExpression' ? node.object.property : node.object
    if (of.type !== 'Identifier' || of.name !== 'task') return
    report(
      node,
      'a comparison forgets kinds of tasks that come later: switch over the kind, with a case for each of them',
    )
  }
  return {
    BinaryExpression(node) {
      for (const side of [node.left, node.right]) check(side.type === 'ChainExpression' ? side.expression : side)
    },
  }
})

/** Outside of tests a function of a file is a declaration, unless it has to be of a named type. */
const functions = rule((place, report) => ({
  VariableDeclarator(node) {
    if (place.forTests || node.init?.type !== 'ArrowFunctionExpression' || node.id.type !== 'Identifier') return
    const statement = node.parent.parent
    const isTop = statement?.type === 'Program' || statement?.type === 'ExportNamedDeclaration'
    if (isTop && !node.id.typeAnnotation) report(node.id, `write "function ${node.id.name}", as other files do`)
  },
}))

function lengthRule(from: number, to: number, advice: string) {
  return rule((place, report, context) => ({
    Program(node) {
      const lines = context.sourceCode.text.trimEnd().split('\n').length
      if (lines > from && lines <= to && !mayBeLong(place)) report(node, `${lines} lines; ${advice}`)
    },
  }))
}

export default {
  meta: { name: 'house' },
  rules: {
    arrows,
    order,
    computed,
    sql,
    tables,
    world,
    shape,
    kinds,
    functions,
    long: lengthRule(LONG, TOO_LONG, `above ${LONG} a file has more than one reason to exist: make it a folder`),
    'too-long': lengthRule(TOO_LONG, Infinity, `${TOO_LONG} is the limit: make it a folder of the same name`),
  },
}
