CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`expires_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_digest` ON `api_keys` (`digest`);--> statement-breakpoint
CREATE TABLE `custom_messages` (
	`tenant` text NOT NULL,
	`session` text NOT NULL,
	`entry_id` text NOT NULL,
	`part` integer NOT NULL,
	`custom_type` text NOT NULL,
	`attribution` text,
	`display` integer NOT NULL,
	`timestamp` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`tenant`, `session`, `entry_id`, `part`)
);
--> statement-breakpoint
CREATE TABLE `handoffs` (
	`tenant` text NOT NULL,
	`id` text NOT NULL,
	`session` text NOT NULL,
	`child` text NOT NULL,
	`status` text NOT NULL,
	`trigger` text NOT NULL,
	`model` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`revision` integer NOT NULL,
	PRIMARY KEY(`tenant`, `id`)
);
--> statement-breakpoint
CREATE INDEX `handoffs_session` ON `handoffs` (`tenant`,`session`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`tenant` text NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`session` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `route`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_session` ON `idempotency_keys` (`tenant`,`session`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`tenant` text NOT NULL,
	`id` text NOT NULL,
	`parent_session` text,
	`handed_off_to` text,
	`title` text,
	`config` text NOT NULL,
	`leaf_id` text,
	`message_count` integer NOT NULL,
	`context_tokens` integer,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_read_tokens` integer NOT NULL,
	`cache_write_tokens` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`tenant`, `id`)
);
--> statement-breakpoint
CREATE INDEX `sessions_newest` ON `sessions` (`tenant`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_parent` ON `sessions` (`tenant`,`parent_session`,`created_at`,`id`);