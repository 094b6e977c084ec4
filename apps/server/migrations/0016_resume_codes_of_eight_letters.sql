-- The earlier version still issues codes of six letters.
alter table resume_codes drop constraint resume_codes_code_check;
alter table resume_codes add constraint resume_codes_code_check
  check (code ~ '^[ACDEFGHJKMNPQRTUVWXY]{6}([ACDEFGHJKMNPQRTUVWXY]{2})?$') not valid;
