import { Type } from 'typebox'
import { flag } from './parts.ts'

const SUBMODULES_TEXT = 'write true, false or recursive'
const FOLDER_TEXT = 'write a folder of the repository without a slash at its ends, such as docs/guide'

const Options = Type.Object(
  {
    depth: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Commits of history, 0 for all of it. Default 1: the commit alone.',
      }),
    ),
    tags: flag('All tags of the repository are fetched, as deep as `depth` says. Default false.'),
    submodules: Type.Optional(
      Type.Union(
        [
          Type.Boolean(),
          Type.String({ enum: ['recursive'], pattern: '^recursive$', patternErrorMessage: SUBMODULES_TEXT }),
        ],
        {
          description:
            'True: the submodules of the repository; `recursive`: theirs, too. The credential goes to the host of the repository alone. Default false.',
          errorMessage: SUBMODULES_TEXT,
        },
      ),
    ),
    lfs: flag('Files of Git LFS are fetched by the program git-lfs of the runner. Default false: pointers to them.'),
    sparse: Type.Optional(
      Type.Array(
        Type.String({
          // Paths that Git reads as a pattern, as an option or as a way out of the repository are refused.
          pattern:
            '^(?!-)(?!(?:.*/)?\\.{1,2}(?:/|$))(?!(?:.*/)?\\.[gG][iI][tT](?:/|$))[^/\\*?\\[\\]!#"\\x00-\\x1f]+(?:/[^/\\*?\\[\\]!#"\\x00-\\x1f]+)*$',
          patternErrorMessage: FOLDER_TEXT,
          errorMessage: FOLDER_TEXT,
          maxLength: 1_000,
        }),
        {
          minItems: 1,
          maxItems: 100,
          description: 'Only these folders, and the files beside and above them, are written. Default: all.',
          errorMessage: 'write a list of folders, such as [docs, src/web]',
        },
      ),
    ),
    merge: flag(
      'Of a pull request its head merged into its base, instead of its head; a conflict fails the task. A merge fetches the whole history. Default false.',
    ),
  },
  { additionalProperties: false },
)

/** Of the pipeline, or of a task instead of it. */
export function checkout(description: string) {
  return Type.Optional(
    Type.Union([Type.Boolean(), Options], {
      description,
      errorMessage: 'write true, false or options such as { depth: 0, tags: true }',
    }),
  )
}
