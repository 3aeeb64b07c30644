/**
 * What the headings of files of people mean: those of people's own lists, and of the exports and APIs of identity providers, personnel
 * systems and others. Of several of one meaning the first one here that has a value counts. docs/admin.md has the table.
 */
export const HEADINGS = {
  id: 'id, user_id, creator_id, workspace_id, object_id',
  kind: 'kind, type',
  name: `name, full_name, display_name, preferred_name, real_name, worker, employee_name, name.full_name,
    name.formatted`,
  given: 'given_name, first_name, name.given_name, preferred_first_name, legal_first_name',
  family: 'family_name, last_name, surname, name.family_name, preferred_last_name, legal_last_name',
  mail: 'mail, email, e_mail, mail_address, email_address, user_email, emails',
  /** A mail address by which a company's system names a person. */
  account: `work_email, primary_work_email, work_email_address, company_email, email_work, primary_email, saml_name_id,
    saml_identity.name_id, user_principal_name, login, user_name, upn`,
  team: `team, department, group, supervisory_organization, organizations.department, work.department,
    department_name, home_department, division, org_unit_path, organizational_unit`,
  manager: `manager_email, manager_mail, manager.mail, manager.email, manager.user_principal_name, supervisor_email,
    work.reports_to.email, manager.id, manager_id, manager_employee_id, supervisor_id, supervisor_eid, manager, manager_name,
    manager.display_name, managers_name, workers_manager, supervisor, supervisor_name, reports_to, reporting_to,
    reporting_manager, line_manager, direct_manager, work.reports_to.display_name`,
  state: `status, user_status, worker_status, employee_status, employment_status, account_status, position_status,
    lifecycle_status, membership_status, internal.status`,
  /** A province, or a state of a person. */
  state_or_place: 'state',
  active: 'active, active_status, is_active, account_enabled, enabled, activated',
  suspended: 'suspended, disabled, deactivated, blocked, archived, deleted, is_suspended',
  terminated: 'terminated, is_terminated',
  left_on: `left_on, left, left_at, leaves_on, leaving_date, date_left, leave_date_time, employee_leave_date_time,
    end_date, termination_date, term_date, terminated_on, terminated_at, separation_date, employment_end_date,
    last_working_day, last_day_of_work, internal.termination_date`,
  /** These two tell a company's system, whose IDs aren't the vendor's. */
  employee: 'employee_id, employee_number, work.employee_id_in_company, employee',
  hired_on: 'hire_date, employee_hire_date',
} as const;

export type Meaning = keyof typeof HEADINGS;

export interface Known {
  readonly meaning: Meaning;
  readonly rank: number;
}

/** What an API puts around a person, and around what it says of one. */
const AROUND = /^(node|profile|user|attributes|urn:.*:user)[.:]|\.(value|\.tag)$/gi;

/** Without case, blanks, dashes, dots, camel case and what stands in brackets, such as `[READ ONLY]`. */
export const foldedText = (text: string) =>
  text
    .replace(/\[[^\]]*\]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();

const KNOWN = new Map(
  Object.entries(HEADINGS).flatMap(([meaning, texts]) =>
    texts
      .split(/,\s+/)
      .map((text, rank) => [foldedText(text), { meaning: meaning as Meaning, rank }] as const),
  ),
);

export const knownHeading = (heading: string): Known | undefined =>
  KNOWN.get(foldedText(heading.replace(AROUND, '')));

const meansOneOf = (headings: readonly string[], meanings: readonly (Meaning | undefined)[]) =>
  headings.some(heading => meanings.includes(knownHeading(heading)?.meaning));
export const haveMail = (headings: readonly string[]) => meansOneOf(headings, ['mail', 'account']);
export const nameSomebody = (headings: readonly string[]) =>
  haveMail(headings) || meansOneOf(headings, ['id']);
