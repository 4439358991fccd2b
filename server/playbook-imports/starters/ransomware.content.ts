import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

import { first, later, next, phase } from './starter.content.ts'

const LEAD = 'Incident lead'
const IT = 'Head of IT'
const SECURITY = 'IT security'
const LEGAL = 'Legal counsel'
const COMMS = 'Communications lead'
const SCRIBE = 'Log keeper'
const BUSINESS = 'Head of operations'

export const RANSOMWARE: StarterPlaybook = {
  id: 'ransomware',
  name: 'Ransomware',
  purpose: 'Files or systems are encrypted, or somebody demands money for them.',
  description:
    'Systems have been encrypted, or a ransom note has appeared. Three things matter now: stop it from spreading, keep the evidence, and get a safe way to talk to each other. Assume that the attackers still read our email and our usual chat. Switch off networks, not computers. Nobody answers the attackers, and nobody pays anything, unless the crisis team has decided it. Write down what you do, with the time.',
  activities: [
    phase('First 15 minutes: stop the spread'),
    first('Take affected computers off the network', 'Pull the network cable and turn Wi-Fi off. Leave the computer on: its memory is evidence and may hold keys. Put a note on it: do not touch. Record name, place and time of each.', { role: SECURITY, minutes: 10 }),
    first('Cut the connections between sites and to the outside', 'Disable VPN, remote access and links between sites at the firewall, wherever spread cannot be ruled out. Better one hour offline too much than one server more. Record what was cut and by whom.', { role: IT, minutes: 10 }),
    first('Disconnect the backups', 'Take backup servers and storage off the network now, before anything is checked. Backups are what attackers look for first. Record when the last good backup of each system was made.', { role: IT, minutes: 10 }),
    first('Move to a channel that the attackers do not have', 'Use the rooms here and phones. No email, no usual chat, no calendar invitations about the incident. Tell each person by phone how to get in.', { role: LEAD, minutes: 10 }),
    first('Photograph the ransom note', 'Take a picture of the screen with a phone, and note the ending of encrypted files. Do not click a link in the note and do not answer it. Attach the picture to the incident.', { role: SECURITY, minutes: 5 }),
    phase('First hour: take the lead'),
    first('Name the incident lead and the log keeper', 'One person decides, one person writes. Write down who it is, how they are reached, and who takes over in eight hours. Tired people make expensive decisions.', { role: 'Duty manager', minutes: 5 }),
    first('Call the crisis team together', 'IT, legal, communications, operations, and the manager who may spend money. Agree on the next call before this one ends, every two hours at first. Record decisions and reasons, not discussions.', { role: LEAD, minutes: 15 }),
    first('Call the cyber insurer', 'Use the hotline on the policy. Many policies pay only if the insurer was told before specialists were hired or anything was paid. Note the claim number and the name of the person.', { role: LEGAL, minutes: 20 }),
    first('Get specialists for forensics', 'Call the company from the contract or from the insurer’s list. Ask when they can begin, and what we should leave alone until then.', { role: SECURITY, minutes: 30 }),
    first('Lock privileged accounts', 'Disable administrator accounts that are not needed for the response. Reset those that are from a clean computer, end all sessions, and check for new accounts and rules. Record each of them.', { role: IT, minutes: 45 }),
    next('Tell all staff what to do, by phone or on paper', 'Three sentences: computers stay as they are, nobody logs in, questions go to one number. Supervisors pass it on in person and confirm that everybody has heard it.', { role: COMMS, minutes: 30 }),
    phase('First four hours: know what has happened'),
    first('List what is affected and what is not', 'One line for each system: encrypted, suspicious, clean, unknown; who checked, when. Update it before each call. “Unknown” is an honest entry.', { role: IT, minutes: 60 }),
    first('Keep the evidence', 'Copy logs from firewall, VPN, mail and directory to a place that nobody can overwrite, before they roll over. Make images of two or three typical computers. Note who made which copy and when.', { role: SECURITY, minutes: 120 }),
    next('Find the way in and the first moment', 'Look for the first strange sign-in, new services and new remote tools. The earliest moment decides which backups can be trusted. Write it down even if it is a guess, and say so.', { role: SECURITY, minutes: 120 }),
    next('Find out whether data was taken', 'Large transfers at night, archive tools, cloud storage that nobody uses. If data was probably taken, start the playbook for data breaches beside this one.', { role: SECURITY, minutes: 120 }),
    next('Identify the kind of ransomware', 'Compare note and file endings with the public collections of the police and of No More Ransom: for some kinds a free key exists. Upload no file that has personal data in it.', { role: SECURITY, minutes: 30 }),
    phase('First day: tell whom we must tell'),
    first('Check the deadlines for notifications', 'Ask counsel today which ones apply: data protection (for example GDPR: 72 hours from becoming aware), sector supervisors, critical infrastructure, stock exchange, contracts with customers. Write each deadline as a time on the clock.', { role: LEGAL, minutes: 60 }),
    first('Report it to the police', 'Use the unit for cybercrime. A report helps with the insurer, and they may know the attackers. Note the file number and one contact.', { role: LEGAL, minutes: 45 }),
    next('Agree on one text for customers and partners', 'What happened, what it means for them, what we do, when they hear from us again. Nothing that we do not know. One spokesperson; everybody else passes questions on.', { role: COMMS, minutes: 60 }),
    next('Warn partners who are connected to us', 'Whoever has a line, an account or shared files with us may be next. Call them, do not write. Record whom you reached and when.', { role: IT, minutes: 60 }),
    next('Start the work that goes on by hand', 'Decide which three or four services must run today: wages, deliveries, care, safety. Take out paper forms and lists of phone numbers. Record what has to be entered later.', { role: BUSINESS, minutes: 90 }),
    next('Decide about the demand as a crisis team', 'Nobody negotiates alone. Hear counsel, insurer and police first: paying may be against the law where sanctions apply, and often brings nothing back. Record the decision, who took it and why.', { role: LEAD, minutes: 60 }),
    phase('Restore'),
    first('Decide the order in which systems return', 'Directory and sign-in first, then what people’s safety and income depend on. Write the order down and let nobody jump it.', { role: BUSINESS, minutes: 45 }),
    first('Test backups apart from the network', 'Restore into an isolated network and search for traces of the attackers before anything goes live. Take one from before the first moment that was found.', { role: IT, minutes: 240 }),
    next('Rebuild instead of cleaning', 'Install affected systems anew from known sources, with all updates and protection on. Only data comes from backups, no programs.', { role: IT, minutes: 480 }),
    next('Change all passwords and keys', 'People, services, interfaces, certificates, in that order, and the directory’s own key twice. Turn on a second factor wherever it is missing.', { role: SECURITY, minutes: 240 }),
    next('Bring systems back one by one, and watch', 'Connect one group at a time and look at it for some hours before the next. Agree who may stop everything at once.', { role: IT, minutes: 240 }),
    phase('Afterwards'),
    next('Close the way in', 'Say in one sentence how they got in, and prove that it is closed. Until then the incident is open.', { role: SECURITY, minutes: 120 }),
    next('Tell those whom we informed that it is over', 'Staff, customers, partners, authorities: what happened, what was done, what they should still watch for. Thank the people who worked through the night.', { role: COMMS, minutes: 60 }),
    later('Look back together within two weeks', 'What helped, what was missing, what we change, by whom, until when. Nobody is blamed. Update this playbook the day after.', { role: LEAD, minutes: 90 }),
    later('Add up the costs and complete the file', 'Hours, invoices, lost income: for insurer, police and management. Store log, evidence and decisions where they are kept for as long as counsel says.', { role: SCRIBE, minutes: 120 }),
  ],
} // prettier-ignore
