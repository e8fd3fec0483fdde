import { describe, expect, test } from 'vitest'
import { meaningOf } from './key-of.ts'

const press = (key: string, more: object = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more })
const free = { isTaken: false, isQuiet: false, isAfterGo: false }

describe('keys', () => {
  test('open the palette, the help and pages, and move in a list', () => {
    expect(meaningOf(press('k', { ctrlKey: true }), free)).toEqual({ kind: 'palette' })
    expect(meaningOf(press('K', { metaKey: true }), free)).toEqual({ kind: 'palette' })
    expect(meaningOf(press('/'), free)).toEqual({ kind: 'palette' })
    expect(meaningOf(press('?'), free)).toEqual({ kind: 'help' })
    expect(meaningOf(press('g'), free)).toEqual({ kind: 'go' })
    expect(meaningOf(press('r'), { ...free, isAfterGo: true })).toEqual({ kind: 'page', letter: 'r' })
    expect(meaningOf(press('j'), free)).toEqual({ kind: 'next' })
    expect(meaningOf(press('k'), free)).toEqual({ kind: 'previous' })
  })

  test('mean nothing in a field or a dialog', () => {
    for (const key of ['/', '?', 'g', 'j', 'k'])
      expect(meaningOf(press(key), { ...free, isTaken: true })).toBeUndefined()
    expect(meaningOf(press('k', { ctrlKey: true }), { ...free, isTaken: true })).toBeUndefined()
  })

  test('can be turned off; Ctrl K stays', () => {
    for (const key of ['/', '?', 'g', 'j', 'k'])
      expect(meaningOf(press(key), { ...free, isQuiet: true })).toBeUndefined()
    expect(meaningOf(press('k', { ctrlKey: true }), { ...free, isQuiet: true })).toEqual({ kind: 'palette' })
  })

  test('of the browser stay its own', () => {
    for (const key of ['r', 'f', 'g', 'j']) expect(meaningOf(press(key, { ctrlKey: true }), free)).toBeUndefined()
    expect(meaningOf(press('j', { altKey: true }), free)).toBeUndefined()
    expect(meaningOf(press('Enter'), { ...free, isAfterGo: true })).toBeUndefined()
  })
})
