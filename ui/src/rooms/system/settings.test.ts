import { expect, test } from 'vitest'
import { filterSettings, readSettingsAddress, type Setting } from './settings.ts'

const setting = (name: string, origin: Setting['origin'], text: string): Setting => ({
  name,
  origin,
  text,
  value: null,
  default: null,
  type: 'string',
  hidden: false,
})
const SETTINGS = [
  setting('log_level', 'file', 'How much is written.'),
  setting('port', 'default', 'Port of the API.'),
  setting('base_url', 'unset', 'Address of the API.'),
]
const names = (words: string, given = false): string[] => filterSettings(SETTINGS, words, given).map(({ name }) => name)

test('a setting is found by words of its name and its meaning', () => {
  expect(names('')).toEqual(['log_level', 'port', 'base_url'])
  expect(names('API')).toEqual(['port', 'base_url'])
  expect(names('api  address')).toEqual(['base_url'])
  expect(names('nothing')).toEqual([])
})

test('only what somebody set, where that is wanted', () => {
  expect(names('', true)).toEqual(['log_level'])
})

test('the address says what is shown, and nothing else', () => {
  expect(readSettingsAddress({ q: 'log', given: true, more: 1 })).toEqual({ q: 'log', given: true })
  expect(readSettingsAddress({ q: '', given: 'yes' })).toEqual({})
})
