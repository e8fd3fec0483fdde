import { describe, expect, test } from 'vitest'
import { readMcpAddress } from './mcp-address.ts'
import { countsOf, familiesOf, limitsWords, placesWords, tokenWords } from './tools.ts'

const NO_LIMITS = { permissions: null, team_path: null, read_only: false, families: null }

describe('the address', () => {
  test('holds the client and the token', () => {
    expect(readMcpAddress({ client: 'cursor', token: 'x' })).toEqual({ client: 'cursor', token: 'x' })
    expect(readMcpAddress({ client: 'toString', token: 7 })).toEqual({})
  })
})

describe('the tools of a token', () => {
  const tool = (name: string, family: string) => ({
    name,
    family,
    title: name,
    does: 'read' as const,
    description: '',
    permissions: [],
    places: [],
  })

  test('stand by family, in the order of the server', () => {
    const families = familiesOf([tool('b', 'runs'), tool('c', 'git'), tool('a', 'runs')])
    expect(families.map(({ name, tools }) => [name, tools.map((each) => each.name)])).toEqual([
      ['runs', ['b', 'a']],
      ['git', ['c']],
    ])
  })

  test('say where they can be used', () => {
    expect(placesWords(['/'])).toBe('everywhere')
    expect(placesWords([])).toBe('at teams that you may not see')
    expect(placesWords(['acme', 'zoo'])).toBe('acme, zoo')
    expect(placesWords(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more')
  })

  test('are counted, and so are the hidden ones', () => {
    const hidden = { why: 'no_permission' as const, sentence: '', tools: ['x', 'y'] }
    const tools = [tool('a', 'runs')]
    expect(countsOf({ tools, hidden: [] })).toBe('1 tool is offered; none is hidden.')
    expect(countsOf({ tools: [], hidden: [hidden, { ...hidden, tools: ['z'] }] })).toBe(
      '0 tools are offered, 3 are hidden.',
    )
    expect(countsOf({ tools, hidden: [{ ...hidden, tools: ['x'] }] })).toMatch(/1 is hidden/)
  })

  test('stand beside the limits of the token', () => {
    expect(limitsWords(NO_LIMITS)).toBe('The token has no limits.')
    expect(limitsWords({ ...NO_LIMITS, read_only: true, team_path: 'acme' })).toBe(
      'The token is limited to acme, reading.',
    )
  })

  test('of somebody else name the owner', () => {
    const token = { name: 'bot', last_four: 'wxyz', owner: 'service_account:acme/bot' }
    expect(tokenWords(token)).toBe('bot of acme/bot (…wxyz)')
    expect(tokenWords({ ...token, owner: 'user:ada' })).toBe('bot (…wxyz)')
  })
})
