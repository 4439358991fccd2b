/** Texts of the dialogs about playbooks (operations §2, §5, §8 "Playbooks"). */
export const playbookDialogs = {
  all: 'All',
  uncategorized: 'Uncategorized',
  category: 'Category',
  save: 'Save',
  saving: 'Saving…',
  saved: 'Saved changes.',
  saveAgain: 'Check it, then save again.',
  create: 'Create',
  creating: 'Creating…',

  createCategory: 'Create Category',
  editCategory: 'Edit Category',
  categoryName: 'Name',
  categoryCreated: 'Created category.',
  changeCategory: 'Change Category for Playbook',

  exportTitle: 'Export Playbooks',
  shareTitle: 'Share Playbooks',
  importTitle: 'Import Playbooks',
  startersTitle: 'Starter Library',
  versionsTitle: 'Versions',
  noDifferences: 'No differences.',
}
