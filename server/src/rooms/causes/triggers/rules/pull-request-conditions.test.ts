import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event, EventPullRequest, Person } from '@signalbox/contracts/event'
import type { ConditionTrace } from '@signalbox/contracts/events'
import { matchesPattern } from '@signalbox/pipeline/patterns'
import fc from 'fast-check'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { aCompiledTrigger } from '../testing.ts'
import { findCommand, findCommandFault, firstLineOf } from './commands.ts'
import { evaluationsOf } from './evaluation.ts'
import { compileLabels } from './label-list.ts'
import { matchTrigger } from './match-trigger.ts'
import type { Trigger } from './trigger.ts'

const effort = { left: Number.POSITIVE_INFINITY }

function aPerson(login: string | null, id: string | null = null): Person {
  return { id, login, name: null, email: null, bot: null }
}

function aPull(overrides: Partial<EventPullRequest> = {}): Event {
  return anEvent({
    kind: 'pull_request',
    action: 'opened',
    pull_request: {
      number: 7,
      title: 'Seven',
      draft: false,
      labels: [],
      head: { ref: 'topic', sha: null, repository: null },
      base: { ref: 'main', sha: null, repository: null },
      from_fork: false,
      merged: false,
      author: aPerson('mona', '1'),
      web_url: null,
      ...overrides,
    },
  })
}

interface CommentOverrides {
  readonly action?: string
  readonly author?: Person | null
  readonly member?: boolean | null
}

function aComment(body: string, { action = 'created', author, member = true }: CommentOverrides = {}): Event {
  const comment = { id: '1', body, author_is_member: member, path: null, web_url: null }
  return {
    ...aPull(),
    kind: 'pull_request_comment',
    action,
    comment: { ...comment, author: author === undefined ? aPerson('lisa', '2') : author },
  }
}

function match(trigger: Partial<Trigger>, event: Event) {
  const events = ['pull_request', 'pull_request_comment', 'push'] as const
  const compiled = aCompiledTrigger({ events, ...trigger })
  return matchTrigger(compiled, event, evaluationsOf(event)('acme/web'), { sourceId: null, visibleTo: () => true })
}

function traced(trigger: Partial<Trigger>, event: Event, condition: ConditionTrace['condition']) {
  return match(trigger, event).conditions.find((each) => each.condition === condition)
}

describe('drafts', () => {
  const cases: [Trigger['draft'], boolean | null, ConditionTrace | undefined][] = [
    ['any', true, undefined],
    ['exclude', true, { condition: 'draft', expected: 'no draft', seen: 'a draft', passed: false }],
    ['exclude', false, { condition: 'draft', expected: 'no draft', seen: 'no draft', passed: true }],
    ['only', true, { condition: 'draft', expected: 'a draft', seen: 'a draft', passed: true }],
    ['only', false, { condition: 'draft', expected: 'a draft', seen: 'no draft', passed: false }],
  ]
  for (const [draft, given, expected] of cases) {
    test(`${draft} and ${given}`, () => assert.deepEqual(traced({ draft }, aPull({ draft: given }), 'draft'), expected))
  }

  test('what the provider does not say counts as none, and the trace says so', () => {
    for (const [draft, passed] of [
      ['exclude', true],
      ['only', false],
    ] as const) {
      const trace = traced({ draft }, aPull({ draft: null }), 'draft')
      assert.deepEqual([trace?.passed, trace?.seen], [passed, 'unknown'])
      assert.match(trace?.note ?? '', /does not say whether it is a draft; it counts as none/)
    }
  })

  test('a push is not asked', () => {
    assert.equal(match({ draft: 'only', labels: ['a'] }, anEvent()).matched, true)
  })
})

describe('labels', () => {
  const cases: [readonly string[], readonly string[], boolean][] = [
    [['deploy'], ['bug', 'Deploy'], true],
    [['deploy'], [], false],
    [['deploy', '!wip'], ['deploy', 'wip'], false],
    [['!wip', 'wip'], ['wip'], true],
    [['**', '!wip'], ['bug'], true],
    [['kind/*'], ['kind/bug'], true],
    [['!wip'], [], true],
    [['!wip'], ['bug'], true],
    [['!wip'], ['bug', 'WIP'], false],
  ]
  for (const [labels, given, passed] of cases) {
    test(`${labels.join(', ')} and ${given.join(', ') || 'none'}`, () => {
      const trace = traced({ labels }, aPull({ labels: [...given] }), 'labels')
      assert.equal(trace?.passed, passed)
      assert.equal(trace?.seen, given.length === 0 ? 'no labels' : given.join(', '))
    })
  }

  test('the label that was taken out is named with its pattern', () => {
    const trace = traced({ labels: ['**', '!wip*'] }, aPull({ labels: ['bug', 'wip-2'] }), 'labels')
    assert.equal(trace?.note, '!wip* leaves out what is labelled wip-2.')
  })

  test('some must be taken in and none taken out, each by the last pattern that fits it', () => {
    const word = fc.stringMatching(/^[ab]{1,3}$/)
    const pattern = fc.tuple(fc.constantFrom('', '!'), word, fc.constantFrom('', '*')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 4 }),
        fc.array(word, { maxLength: 4 }),
        (list, labels) => {
          const verdicts = labels.map((label) => {
            const last = list.findLast((each) => matchesPattern(each.replace(/^!/, ''), label))
            return last === undefined ? 'untouched' : last.startsWith('!') ? 'out' : 'in'
          })
          const asks = list.some((each) => !each.startsWith('!'))
          const expected = !verdicts.includes('out') && (!asks || verdicts.includes('in'))
          assert.equal(compileLabels(list)(labels, effort).passed, expected)
        },
      ),
    )
  })
})

describe('commands', () => {
  const commands = ['/retest', '/deploy', '/deploy staging', '/cancel']
  const trigger = { commands, commenters: ['**'] }
  const cases: [string, string | null][] = [
    ['/retest', '/retest'],
    ['/retest please', '/retest'],
    ['\r\n  \n/retest  \r\nmore', '/retest'],
    ['/deploy staging now', '/deploy staging'],
    ['/deploy stagingx', '/deploy'],
    ['/cancel', '/cancel'],
    ['/retests', null],
    ['/Retest', null],
    [' /retest', null],
    ['> /retest', null],
    ['please\n/retest', null],
    ['/retest\tnow', null],
    ['', null],
  ]
  for (const [body, command] of cases) {
    test(`${JSON.stringify(body)}: ${command ?? 'none'}`, () => {
      const result = match(trigger, aComment(body))
      assert.equal(result.command, command)
      assert.equal(result.firstFailed, command === null ? 'command' : null)
    })
  }

  test('only a new comment gives one', () => {
    const edited = match({ ...trigger, actions: ['created', 'edited'] }, aComment('/retest', { action: 'edited' }))
    assert.deepEqual([edited.firstFailed, edited.command], ['command', null])
    assert.match(edited.conditions.find(({ condition }) => condition === 'command')?.note ?? '', /new comments only/)
  })

  test('other events of the trigger are not asked for one', () => {
    assert.deepEqual([match(trigger, aPull()).matched, match(trigger, aPull()).command], [true, null])
  })

  test('what is wrong with a command is said', () => {
    for (const command of ['retest', '/', '/a  b', '/a ', '/a\tb', '/a\u0000', '/cancel all', `/${'a'.repeat(100)}`]) {
      assert.notEqual(findCommandFault(command), undefined, command)
    }
    for (const command of commands) assert.equal(findCommandFault(command), undefined, command)
  })

  test('the first line that is not blank decides, and the longest command that it begins with', () => {
    const word = fc.constantFrom('/a', '/a b', '/ab', '/a b c')
    const line = fc.oneof(word, fc.constantFrom('', ' ', '/a b d', '/abc', 'x /a'))
    fc.assert(
      fc.property(fc.uniqueArray(word), fc.array(line), fc.constantFrom('\n', '\r\n', '\r'), (list, lines, end) => {
        const found = findCommand(list, firstLineOf(lines.join(end)))
        const first = lines.find((each) => each.trim() !== '')
        const words = first?.split(' ') ?? []
        const expected = list
          .filter((command) => command.split(' ').every((part, at) => words[at] === part))
          .toSorted((a, b) => b.length - a.length)[0]
        assert.equal(found, expected ?? null)
      }),
    )
  })
})

describe('commenters', () => {
  const commented = (commenters: readonly string[], event: Event, commands = ['/retest']) =>
    traced({ commands, commenters }, event, 'commenter')
  const comment = (overrides: CommentOverrides) => aComment('/retest', overrides)

  const cases: [string, readonly string[], Event, boolean][] = [
    ['a member, where nobody is named', [], comment({ member: true }), true],
    ['no member, where nobody is named', [], comment({ member: false }), false],
    ['unknown membership', ['@members'], comment({ member: null }), false],
    ['the author, by id', ['@author'], comment({ author: aPerson('renamed', '1') }), true],
    ['the login of the author with another id', ['@author'], comment({ author: aPerson('mona', '2') }), false],
    ['the author, by login, where an id is missing', ['@author'], comment({ author: aPerson('Mona') }), true],
    ['nobody', ['@author', '**'], comment({ author: null }), false],
    ['a login', ['lisa'], comment({ member: null }), true],
    ['a login in other capitals', ['LISA'], comment({ member: null }), true],
    ['a pattern of logins', ['bot-*'], comment({ author: aPerson('bot-7') }), true],
    ['a member who is left out', ['@members', '!lisa'], comment({ member: true }), false],
    ['an author who is left out', ['@author', '!mona'], comment({ author: aPerson('mona', '1') }), false],
    ['another login', ['mona'], comment({ member: true }), false],
  ]
  for (const [name, commenters, event, passed] of cases) {
    test(`${name}: ${passed}`, () => assert.equal(commented(commenters, event)?.passed, passed))
  }

  test('the trace says who commented, who may, and what is not known', () => {
    assert.deepEqual(commented([], comment({ member: null })), {
      condition: 'commenter',
      expected: '@members',
      seen: 'lisa',
      passed: false,
      note: 'Whether the author of the comment may write to the repository is not known; that counts as no. The trigger names no commenters; with commands it is members.',
    })
    assert.match(commented(['@members', '!lisa'], comment({}))?.note ?? '', /^!lisa leaves this login out/)
  })

  test('without commands and commenters anybody may comment', () => {
    assert.equal(traced({}, comment({ member: false }), 'commenter'), undefined)
    assert.equal(match({}, comment({ member: false })).matched, true)
    assert.equal(match({ commenters: ['@members'] }, comment({ member: false })).firstFailed, 'commenter')
  })

  test('who is not known to be a member is never one', () => {
    const login = fc.option(fc.stringMatching(/^[a-z]{1,3}$/))
    fc.assert(
      fc.property(login, fc.constantFrom(false, null), (name, member) => {
        assert.equal(commented(['@members'], comment({ author: aPerson(name, '9'), member }))?.passed, false)
      }),
    )
  })
})
