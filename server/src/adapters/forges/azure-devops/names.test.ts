import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EventRepository } from '@signalbox/contracts/event'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { organisationOf, readFullName, readOrganisation } from './names.ts'

const PROJECT = '6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c'
const REPOSITORY = '4bc14d40-c903-45e2-872e-0462c7748079'

function named(project: unknown, name: unknown, organisation: string | null = 'acme') {
  return readFullName({ id: REPOSITORY, name, project: { id: PROJECT, name: project } }, organisation)
}

describe('a full name', () => {
  test('has the names as they are written, spaces too', () => {
    assert.equal(named('My Project', 'widgets'), 'acme/My Project/widgets')
    assert.equal(named('Web', 'the new widgets'), 'acme/Web/the new widgets')
  })

  test('has the id instead of a name that a pattern or another name could be taken for', () => {
    for (const other of [
      'R&D',
      'Fahrpläne',
      'A/B',
      'My  Project',
      ' Web',
      'Web ',
      '..',
      '.',
      'a%20b',
      'a*',
      'a~',
      '\u0430cme',
      'a\u00a0b',
      '00000000-0000-4000-8000-000000000000',
      'x'.repeat(131),
      '',
    ]) {
      assert.equal(named(other, 'widgets'), `acme/${PROJECT}/widgets`, other)
      assert.equal(named('Web', other), `acme/Web/${REPOSITORY}`, other)
    }
  })

  test('is null where a part is missing', () => {
    assert.equal(named('Web', 'widgets', null), null)
    assert.equal(readFullName({ name: 'widgets', project: { name: 'R&D' } }, 'acme'), null)
    assert.equal(readFullName({ name: 'R&D', id: 'x', project: { name: 'Web' } }, 'acme'), null)
    assert.equal(readFullName({ name: 'widgets' }, 'acme'), null)
  })

  test('is always one that an event can hold, and tells any two repositories apart', () => {
    const name = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[ .A-Za-z%~/-]{1,12}$/), fc.uuid())
    const repository = fc.record({ name, id: fc.uuid(), project: fc.record({ name, id: fc.uuid() }) })
    fc.assert(
      fc.property(repository, repository, (one, other) => {
        const full = readFullName(one, 'acme')
        assert.ok(full !== null && Value.Check(EventRepository.properties.full_name, full), String(full))
        assert.equal(full.split('/').length, 3)
        const same = full === readFullName(other, 'acme')
        assert.equal(same && one.id !== other.id && one.name !== other.name, false)
      }),
    )
  })
})

describe('the organisation', () => {
  test('is found in every kind of address', () => {
    for (const [address, organisation] of [
      ['https://dev.azure.com/acme/My%20Project/_git/widgets', 'acme'],
      ['https://acme@dev.azure.com/acme/My%20Project/_git/widgets', 'acme'],
      ['https://dev.azure.com/acme/_git/widgets', 'acme'],
      ['https://dev.azure.com/acme/', 'acme'],
      [`https://dev.azure.com/acme/${PROJECT}/_apis/git/repositories/${REPOSITORY}`, 'acme'],
      ['https://acme.visualstudio.com/DefaultCollection/My%20Project/_git/widgets', 'acme'],
      ['https://acme.visualstudio.com/_git/widgets', 'acme'],
      ['https://tfs.example.com/tfs/DefaultCollection/My%20Project/_git/widgets', 'DefaultCollection'],
      ['https://tfs.example.com/tfs/DefaultCollection/_git/widgets', 'DefaultCollection'],
      [`https://tfs.example.com/DefaultCollection/${PROJECT}/_apis/git/repositories/x`, 'DefaultCollection'],
      ['http://tfs:8080/tfs/Web%20Collection/my%20project/_git/widgets', 'Web Collection'],
    ] as const) {
      assert.equal(organisationOf(address, 'My Project'), organisation, address)
    }
  })

  test('is in nothing else', () => {
    for (const address of [
      undefined,
      7,
      '',
      'dev.azure.com/acme',
      'ssh://git@ssh.dev.azure.com/v3/acme/Web/widgets',
      'javascript:alert(1)//dev.azure.com/acme',
      'https://dev.azure.com/',
      'https://dev.azure.com/%E0%A4%A/x',
      'https://dev.azure.com/a%2Fb/x',
      'https://dev.azure.com/..%2f..',
      'https://tfs.example.com/My%20Project/_git/widgets',
    ]) {
      assert.equal(organisationOf(address, 'My Project'), null, String(address))
    }
  })

  test('comes from the first address of a payload that holds it', () => {
    const account = { baseUrl: 'https://dev.azure.com/third/' }
    const payload = { resourceContainers: { account, collection: { baseUrl: 'https://dev.azure.com/fourth/' } } }
    const url = 'https://dev.azure.com/second/_apis/git/repositories/x'
    const remoteUrl = 'https://dev.azure.com/first/_git/x'
    assert.equal(readOrganisation(payload, { remoteUrl, url }), 'first')
    assert.equal(readOrganisation(payload, { remoteUrl: 'x', url }), 'second')
    assert.equal(readOrganisation(payload, {}), 'third')
    assert.equal(readOrganisation({ resourceContainers: { collection: account } }, {}), 'third')
    assert.equal(readOrganisation({}, {}), null)
  })
})
