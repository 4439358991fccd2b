import type { ImportFile, ImportPreview } from '#contract/playbook-imports/schema.ts'
import type { StarterPlaybook } from '#contract/playbooks/schema.ts'
import { inProcess } from '#server/kit/processes/processes.ts'

const TOO_COMPLICATED = 'This file takes too long to be read. Please split it.'

/**
 * Reads a file in a worker process, because a stranger's file may take arbitrarily long.
 * @throws Refusal 400 with the problem and its place; 413 where it takes too long
 */
export const previewFile = (file: ImportFile): Promise<ImportPreview> =>
  inProcess<ImportFile, ImportPreview>({
    kind: 'reading',
    module: new URL('./read.task.ts', import.meta.url),
    task: file,
    excess: TOO_COMPLICATED,
  })

/** The playbooks of the starter library, loaded on demand. */
export async function starterLibrary(): Promise<StarterPlaybook[]> {
  const { STARTERS } = await import('./starters/library.content.ts')
  return STARTERS
}
