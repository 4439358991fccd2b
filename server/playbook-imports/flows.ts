import type { ImportFile, ImportPreview } from '#contract/playbook-imports/schema.ts'
import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

/**
 * Reads a file; its readers are loaded with the first one.
 * @throws Refusal 400 that says what is wrong, and where
 */
export async function previewFile(file: ImportFile): Promise<ImportPreview> {
  const { readFile } = await import('./formats/file.content.ts')
  return readFile(file)
}

/** The playbooks of the starter library, loaded when somebody asks for them. */
export async function starterLibrary(): Promise<StarterPlaybook[]> {
  const { STARTERS } = await import('./starters/library.content.ts')
  return STARTERS
}
