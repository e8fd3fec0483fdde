import { Type } from 'typebox'
import { OUTPUT_NAME_PATTERN, oneOf, paths, SEGMENT } from './parts.ts'

export const Output = Type.Union(
  [
    Type.Object(
      { sensitive: Type.Optional(Type.Boolean({ description: 'Masked in logs and hidden in the interface.' })) },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { errorMessage: 'write {} or { sensitive: true }' },
)

export const outputName = Type.String({ pattern: OUTPUT_NAME_PATTERN })

/** The files that a task takes from other tasks and leaves for them. */
export const fileDirectives = {
  artifacts: Type.Optional(
    Type.Object(
      {
        paths: paths('Files and folders of the workspace; * and ** stand for names.', '[dist]'),
        name: Type.Optional(
          Type.String({
            pattern: '\\S',
            patternErrorMessage: 'write a name, such as site',
            maxLength: 200,
            description: 'Name of the artifact; without it that of the task. `${{ matrix.<axis> }}` is replaced.',
          }),
        ),
        when: oneOf(['success', 'failure', 'always'], 'After which end of the task they are kept. Default success.'),
        retention: Type.Optional(
          Type.String({
            pattern: '^(?=\\d)(\\d{1,6}d)?(\\d{1,6}h)?(\\d{1,6}m)?(\\d{1,8}s)?$',
            patternErrorMessage: 'write a duration such as "30d", at most 400 days',
            errorMessage: 'write a duration such as "30d", at most 400 days',
            description: 'How long they are kept. Without it as long as the installation keeps artifacts.',
          }),
        ),
      },
      {
        additionalProperties: false,
        description: 'Files that are kept once the task is over.',
        errorMessage: 'write { paths: [dist] }',
      },
    ),
  ),
  needs_artifacts: Type.Optional(
    Type.Array(
      Type.String({
        pattern: `^${SEGMENT}\\.${SEGMENT}$`,
        patternErrorMessage: 'write a step and a task, such as build.pack',
      }),
      {
        maxItems: 100,
        description: '`<step>.<task>` of earlier tasks whose artifacts lie in the workspace when it starts.',
        errorMessage: 'write a list of steps and tasks, such as [build.pack]',
      },
    ),
  ),
  cache: Type.Optional(
    Type.Object(
      {
        key: Type.String({
          pattern: '\\S',
          patternErrorMessage: 'write a key, such as npm',
          maxLength: 500,
          description: 'Files that were stored under the same key are found again. `${{ matrix.<axis> }}` is replaced.',
        }),
        files: Type.Optional(
          paths('Files whose content is part of the key, such as a lock file.', '[package-lock.json]'),
        ),
        paths: paths('Files and folders of the workspace that are kept.', '[node_modules]'),
        fallback: Type.Optional(
          Type.Array(
            Type.String({ pattern: '\\S', patternErrorMessage: 'write the beginning of a key', maxLength: 500 }),
            {
              maxItems: 10,
              description: 'Beginnings of keys that serve where there is none of the whole key; the newest entry wins.',
              errorMessage: 'write a list of beginnings of keys, such as [npm-]',
            },
          ),
        ),
      },
      {
        additionalProperties: false,
        description: 'Files that later runs find again.',
        errorMessage: 'write { key: npm, files: [package-lock.json], paths: [node_modules] }',
      },
    ),
  ),
}
