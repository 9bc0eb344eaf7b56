package dev.fencepost.assessment.notification;

/** The kinds of receivers that are spoken to. */
enum ChannelType {
  WEBHOOK,
  WECOM,
  DINGTALK,
  FEISHU,
  SLACK
}
