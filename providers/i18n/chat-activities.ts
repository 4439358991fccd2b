/** Texts for adding messages to incidents, and for links back to them. */
export const chatActivities = {
  add: 'Add to Incident',
  title: 'Add to an incident',
  text: 'The message becomes a part of the incident, where everybody who sees the incident can read it.',
  incident: 'Incident',
  none: 'No incident or exercise is in progress.',
  exercise: 'EXERCISE: %{title}',
  type: 'As',
  types: { UPDATE: 'Update', TASK: 'Task' },
  taskTitle: 'Title of the task',
  taskTitleHelp: 'Left empty, it is the first line of the message.',
  already: 'This message is in that incident already.',
  submit: 'Add',
  added: 'Added to %{title}.',
  madeUpdate: 'Update of an incident',
  madeTask: 'Task of an incident',
  fromChat: 'From the chat',
}
