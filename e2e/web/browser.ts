import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
]

/**
 * What of its own window the browser leaves out: for each context it starts a process with two pages for suggestions
 * below the address, which takes as long as half a test. The last list counts: the others are Playwright's own.
 */
const FEATURES_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** Debian's browser beside other work: without a sandbox for root, and without calls of its own to anywhere. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF.join(',')}`,
]

function findBrowser(): string | undefined {
  return [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path))
}

/** Why tests in a browser cannot run here, for `skip`; false where they can. In CI a missing browser is a failure. */
export function whyNoBrowser(): string | false {
  if (findBrowser() !== undefined || process.env['CI'] !== undefined) return false
  return 'no Chromium here: install it, or name it in CHROMIUM_PATH'
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), args: FLAGS })
}

/** A browser that keeps its profile in this folder. */
export function startProfile(folder: string, options: BrowserContextOptions): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...options, executablePath: browserPath(), args: FLAGS })
}

function browserPath(): string {
  const path = findBrowser()
  if (path === undefined) throw new Error('There is no Chromium: apt-get install chromium, or set CHROMIUM_PATH.')
  return path
}
