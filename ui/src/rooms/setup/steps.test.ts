import { expect, test } from 'vitest'
import { currentStep, readStep } from './steps.ts'

test('the steps of the bootstrap token come while nobody can sign in, whatever the address says', () => {
  expect(currentStep({ isSetupNeeded: true, hasToken: false, wanted: 'run' })).toBe('token')
  expect(currentStep({ isSetupNeeded: true, hasToken: true, wanted: undefined })).toBe('administrator')
  expect(currentStep({ isSetupNeeded: false, hasToken: true, wanted: undefined })).toBe('address')
  expect(currentStep({ isSetupNeeded: false, hasToken: false, wanted: 'run' })).toBe('run')
})

test('an address names a later step, or none', () => {
  expect(readStep('team')).toEqual({ step: 'team' })
  for (const wrong of ['token', 'administrator', 'x', 7, undefined, null]) expect(readStep(wrong)).toEqual({})
})
