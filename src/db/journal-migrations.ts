// Written by `npm run db:generate` from migrations/journal; do not edit.
import type { Migration } from './migrate.ts'

export const JOURNAL_MIGRATIONS: readonly Migration[] = [
  {
    "name": "0000_init",
    "statements": [
      "CREATE TABLE `journal_chunks` (\n\t`owner` text NOT NULL,\n\t`kind` text NOT NULL,\n\t`ref` text NOT NULL,\n\t`part` integer NOT NULL,\n\t`text` text NOT NULL,\n\tPRIMARY KEY(`owner`, `kind`, `ref`, `part`)\n);",
      "CREATE TABLE `journal_entries` (\n\t`owner` text NOT NULL,\n\t`seq` integer NOT NULL,\n\t`id` text NOT NULL,\n\t`parent_id` text,\n\t`type` text NOT NULL,\n\t`body` text NOT NULL,\n\tPRIMARY KEY(`owner`, `seq`)\n);",
      "CREATE UNIQUE INDEX `journal_entries_id` ON `journal_entries` (`owner`,`id`);",
      "CREATE TABLE `journal_handoffs` (\n\t`owner` text NOT NULL,\n\t`id` text NOT NULL,\n\t`number` integer NOT NULL,\n\t`body` text NOT NULL,\n\tPRIMARY KEY(`owner`, `id`)\n);",
      "CREATE INDEX `journal_handoffs_number` ON `journal_handoffs` (`owner`,`number`);",
      "CREATE TABLE `journal_idempotency` (\n\t`owner` text NOT NULL,\n\t`route` text NOT NULL,\n\t`key` text NOT NULL,\n\t`fingerprint` text NOT NULL,\n\t`handoff_id` text,\n\t`answer` text,\n\t`created_at` integer NOT NULL,\n\tPRIMARY KEY(`owner`, `route`, `key`)\n);",
      "CREATE TABLE `journal_meta` (\n\t`owner` text PRIMARY KEY NOT NULL,\n\t`body` text NOT NULL\n);",
      "CREATE TABLE `journal_notes` (\n\t`owner` text NOT NULL,\n\t`name` text NOT NULL,\n\t`value` text NOT NULL,\n\tPRIMARY KEY(`owner`, `name`)\n);",
      "CREATE TABLE `journal_outbox` (\n\t`token` integer PRIMARY KEY AUTOINCREMENT NOT NULL,\n\t`owner` text NOT NULL,\n\t`kind` text NOT NULL,\n\t`ref` text NOT NULL,\n\t`body` text NOT NULL\n);",
      "CREATE INDEX `journal_outbox_owner` ON `journal_outbox` (`owner`,`token`);"
    ]
  },
  {
    "name": "0001_status",
    "statements": [
      "ALTER TABLE `journal_handoffs` ADD `status` text DEFAULT 'completed' NOT NULL;",
      "ALTER TABLE `journal_outbox` DROP COLUMN `body`;",
      "UPDATE `journal_handoffs` SET `status` = CASE\n\tWHEN json_valid(`body`) THEN json_extract(`body`, '$.status')\n\tWHEN instr(`body`, '\"status\":\"committing\"') > 0 THEN 'committing'\n\tELSE 'completed'\nEND;"
    ]
  },
  {
    "name": "0002_events",
    "statements": [
      "CREATE TABLE `journal_events` (\n\t`owner` text NOT NULL,\n\t`seq` integer NOT NULL,\n\t`body` text NOT NULL,\n\tPRIMARY KEY(`owner`, `seq`)\n);",
      "CREATE TABLE `journal_queue` (\n\t`owner` text NOT NULL,\n\t`id` text NOT NULL,\n\t`number` integer NOT NULL,\n\t`kind` text NOT NULL,\n\t`moving_to` text,\n\t`created_at` integer NOT NULL,\n\t`body` text NOT NULL,\n\tPRIMARY KEY(`owner`, `id`)\n);",
      "CREATE INDEX `journal_queue_number` ON `journal_queue` (`owner`,`number`);",
      "CREATE TABLE `journal_turns` (\n\t`owner` text NOT NULL,\n\t`id` text NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`body` text NOT NULL,\n\tPRIMARY KEY(`owner`, `id`)\n);",
      "CREATE INDEX `journal_turns_age` ON `journal_turns` (`owner`,`created_at`);"
    ]
  }
]
