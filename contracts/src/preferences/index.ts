import { type Static, Type } from 'typebox'
import { Nullable, STRICT, TeamPath, Time } from '../http/index.ts'

/** The most that the document of one user may take, in bytes of JSON. */
export const MAX_PREFERENCES_BYTES = 16_384

const ColorScheme = Type.Enum(['system', 'light', 'dark'])
const Density = Type.Enum(['compact', 'comfortable'])

const TimeZone = Nullable(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$', maxLength: 64 }), {
  description: 'A zone of the IANA database, such as Europe/Berlin; null: the one of the browser.',
})

const LastSeen = Type.Record(TeamPath, Time, {
  additionalProperties: false,
  maxProperties: 200,
  description: 'When the user last looked at the home of a team, by its path.',
})

const PinnedTeams = Type.Array(TeamPath, { maxItems: 50, uniqueItems: true, description: 'In the order of the page.' })

const LogPreferences = Type.Object(
  {
    wrap: Type.Boolean({ description: 'Long lines go on in the next row.' }),
    times: Type.Boolean({ description: 'Each line shows its time.' }),
    numbers: Type.Boolean({ description: 'Each line shows its number, which is also its link.' }),
  },
  STRICT,
)

/** How one user likes the page; it decides nothing but looks. */
export const Preferences = Type.Object({
  color_scheme: ColorScheme,
  density: Density,
  time_zone: TimeZone,
  shortcuts: Type.Boolean({ description: 'Keys such as "/" and "g r"; Ctrl K stays.' }),
  last_seen: LastSeen,
  pinned_teams: PinnedTeams,
  log: LogPreferences,
})
export type Preferences = Static<typeof Preferences>

/** The whole document anew; a field that is left out gets its default. */
export const PreferencesInput = Type.Object(
  {
    color_scheme: Type.Optional(Type.Enum(['system', 'light', 'dark'], { default: 'system' })),
    density: Type.Optional(Type.Enum(['compact', 'comfortable'], { default: 'compact' })),
    time_zone: Type.Optional(TimeZone),
    shortcuts: Type.Optional(Type.Boolean({ default: true })),
    last_seen: Type.Optional(LastSeen),
    pinned_teams: Type.Optional(PinnedTeams),
    log: Type.Optional(
      Type.Object(
        {
          wrap: Type.Optional(Type.Boolean({ default: false })),
          times: Type.Optional(Type.Boolean({ default: false })),
          numbers: Type.Optional(Type.Boolean({ default: true })),
        },
        STRICT,
      ),
    ),
  },
  STRICT,
)
export type PreferencesInput = Static<typeof PreferencesInput>
