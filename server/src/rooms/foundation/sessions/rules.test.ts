import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutUserAgent, describeDevice } from './rules.ts'

const CHROME = '(KHTML, like Gecko) Chrome/141.0.0.0'

test('a device is called as people know it, or by nothing that was sent', () => {
  const called: readonly (readonly [string, string])[] = [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${CHROME} Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 ${CHROME} Safari/537.36 Edg/141.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 ${CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    ['curl/8.14.1', 'curl'],
    ['<script>alert(1)</script>', 'Unknown device'],
    ['', 'Unknown device'],
  ]
  for (const [userAgent, device] of called) assert.equal(describeDevice(userAgent), device)
})

test('of a User-Agent the printable part is kept, at most 300 characters', () => {
  assert.equal(cutUserAgent('a\u0000b\u202ec\nd'), 'abcd')
  assert.equal(cutUserAgent('x'.repeat(5000)).length, 300)
  assert.equal(cutUserAgent(undefined), '')
})
