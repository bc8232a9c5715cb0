CREATE TABLE `journal_chunks` (
	`owner` text NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`part` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`owner`, `kind`, `ref`, `part`)
);
--> statement-breakpoint
CREATE TABLE `journal_entries` (
	`owner` text NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`parent_id` text,
	`type` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`owner`, `seq`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `journal_entries_id` ON `journal_entries` (`owner`,`id`);--> statement-breakpoint
CREATE TABLE `journal_handoffs` (
	`owner` text NOT NULL,
	`id` text NOT NULL,
	`number` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`owner`, `id`)
);
--> statement-breakpoint
CREATE INDEX `journal_handoffs_number` ON `journal_handoffs` (`owner`,`number`);--> statement-breakpoint
CREATE TABLE `journal_idempotency` (
	`owner` text NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`handoff_id` text,
	`answer` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`owner`, `route`, `key`)
);
--> statement-breakpoint
CREATE TABLE `journal_meta` (
	`owner` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `journal_notes` (
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`owner`, `name`)
);
--> statement-breakpoint
CREATE TABLE `journal_outbox` (
	`token` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`owner` text NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `journal_outbox_owner` ON `journal_outbox` (`owner`,`token`);