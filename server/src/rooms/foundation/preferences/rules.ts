import { MAX_PREFERENCES_BYTES, type Preferences, type PreferencesInput } from '@signalbox/contracts/preferences'

export const DEFAULT_PREFERENCES: Preferences = {
  color_scheme: 'system',
  density: 'compact',
  time_zone: null,
  shortcuts: true,
  last_seen: {},
  pinned_teams: [],
  log: { wrap: false, times: false, numbers: true },
}

/** Every field, with the default of what the input leaves out. */
export function completePreferences(input: PreferencesInput): Preferences {
  return { ...DEFAULT_PREFERENCES, ...input, log: { ...DEFAULT_PREFERENCES.log, ...input.log } }
}

export interface PreferenceFault {
  readonly field: string
  readonly message: string
}

/** What the shape of the document cannot say. */
export function findPreferenceFaults(preferences: Preferences): PreferenceFault[] {
  const { time_zone: zone } = preferences
  const faults: PreferenceFault[] = []
  if (zone !== null && !isTimeZone(zone)) {
    faults.push({ field: 'time_zone', message: 'must be a zone of the IANA database, such as Europe/Berlin, or null' })
  }
  if (Buffer.byteLength(JSON.stringify(preferences)) > MAX_PREFERENCES_BYTES) {
    faults.push({ field: 'last_seen', message: 'must be shorter: the document may take 16 KiB at most' })
  }
  return faults
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
