import { filesApi } from '#contract/files/api.ts'
import { folderNameOf, NAME_TAKEN, type NameConflict } from '#contract/files/schema.ts'
import { call } from '#providers/api.ts'
import { HttpProblem } from '#providers/problem.ts'

/** Answers to a name that is taken. */
export type ConflictChoice = 'replace' | 'keepBoth' | 'skip'

/** True for the refusal of a name that is taken in the folder. */
export const isNameTaken = (error: unknown): boolean =>
  error instanceof HttpProblem && error.status === 409 && error.body.fields?.['name'] === NAME_TAKEN

interface Planned {
  readonly file: { readonly name: string }
  /** Names of the folders below the target. */
  readonly path: readonly string[]
}
/** The planned files whose names are taken in a folder or below it. */
export async function findConflicts<File extends Planned>(
  folderId: number,
  planned: readonly File[],
): Promise<Map<File, NameConflict>> {
  const folders = [...Map.groupBy(planned, ({ path }) => JSON.stringify(path)).values()]
  const conflicts = await call(filesApi.conflicts, {
    params: { id: folderId },
    body: {
      folders: folders.map((files) => ({
        path: files[0]!.path.map(folderNameOf),
        names: files.map(({ file }) => file.name),
      })),
    },
  })
  const found = new Map<File, NameConflict>()
  for (const conflict of conflicts) {
    const file = folders[conflict.folder]?.find((one) => one.file.name === conflict.name)
    if (file) found.set(file, conflict)
  }
  return found
}
