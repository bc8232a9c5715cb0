CREATE TABLE `journal_events` (
	`owner` text NOT NULL,
	`seq` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`owner`, `seq`)
);
--> statement-breakpoint
CREATE TABLE `journal_queue` (
	`owner` text NOT NULL,
	`id` text NOT NULL,
	`number` integer NOT NULL,
	`kind` text NOT NULL,
	`moving_to` text,
	`created_at` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`owner`, `id`)
);
--> statement-breakpoint
CREATE INDEX `journal_queue_number` ON `journal_queue` (`owner`,`number`);--> statement-breakpoint
CREATE TABLE `journal_turns` (
	`owner` text NOT NULL,
	`id` text NOT NULL,
	`created_at` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`owner`, `id`)
);
--> statement-breakpoint
CREATE INDEX `journal_turns_age` ON `journal_turns` (`owner`,`created_at`);